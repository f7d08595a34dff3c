import { isRunestone, readRunestone } from '../../client/src/bitcoin/runestone.js';
import type { Transaction } from './esplora.js';

/** What the edicts of a transaction give each address of a rune, in the order of the outputs. */
export function runesIn({ outputs }: Transaction, runeId: string): { readonly to: string; readonly amount: bigint }[] {
  const message = outputs.find(({ script }) => isRunestone(script));
  const given = new Map<number, bigint>();
  for (const edict of message === undefined ? [] : edictsOf(message.script, outputs.length)) {
    if (edict.runeId !== runeId) continue;
    // An edict that names the number of outputs gives each of them the amount.
    const named = edict.output === outputs.length ? [...outputs.keys()] : [edict.output];
    for (const vout of named) given.set(vout, (given.get(vout) ?? 0n) + edict.amount);
  }
  return outputs.flatMap(({ address }, vout) => {
    const amount = given.get(vout) ?? 0n;
    return address !== undefined && amount > 0n ? [{ to: address, amount }] : [];
  });
}

/** A message that does more than move runes, or is malformed, gives nothing: neither is a distribution. */
function edictsOf(script: Uint8Array, outputs: number) {
  try {
    return readRunestone(script, outputs).edicts;
  } catch {
    return [];
  }
}
