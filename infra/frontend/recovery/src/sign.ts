import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base64, hex } from '@scure/base';
import { SigHash, Transaction } from '@scure/btc-signer';
import { equalBytes } from '@scure/btc-signer/utils.js';

import type { TradingWallet } from './kit.js';
import type { Planned } from './plan.js';
import { Problem } from './problem.js';

const OPTIONS = { allowUnknownInputs: true, allowUnknownOutputs: true } as const;

/** A transaction that any node accepts once its coins are free. */
export interface Signed {
  readonly txid: string;
  /** For any service that sends transactions. */
  readonly hex: string;
}

/** Signs a planned transaction with the user's private key, 32 bytes. */
export function sign(planned: Planned, wallet: TradingWallet, privateKey: Uint8Array): Signed {
  const transaction = copyOf(planned);
  for (let place = 0; place < planned.inputs.length; place += 1) transaction.signIdx(privateKey, place, [SigHash.ALL]);
  return complete(planned, wallet, transaction);
}

/** The transaction for an external wallet to sign: a PSBT, as base64. */
export function psbtOf(planned: Planned): string {
  return base64.encode(planned.unsigned.toPSBT());
}

/**
 * Takes the signatures from a PSBT that an external wallet has signed, as base64 or hex.
 *
 * @throws {@link Problem}
 */
export function takeSignatures(text: string, planned: readonly Planned[], wallet: TradingWallet): Signed {
  const transaction = readPsbt(text);
  const match = planned.find(({ unsigned }) => equalBytes(unsigned.unsignedTx, transaction.unsignedTx));
  if (match === undefined) {
    throw new Problem('This is another transaction than those on this page. Sign one of those, unchanged, and paste it again.');
  }
  const signed = copyOf(match);
  for (let place = 0; place < match.inputs.length; place += 1) {
    const { partialSig } = transaction.getInput(place);
    if (partialSig !== undefined) signed.updateInput(place, { partialSig }, true);
  }
  return complete(match, wallet, signed);
}

function readPsbt(text: string): Transaction {
  const clean = text.replace(/\s/g, '');
  try {
    return Transaction.fromPSBT(/^[0-9a-f]+$/i.test(clean) ? hex.decode(clean.toLowerCase()) : base64.decode(clean), OPTIONS);
  } catch {
    throw new Problem('This is not a PSBT. Paste the whole text that your wallet gives you after signing. It must not be finalised.');
  }
}

function copyOf({ unsigned }: Planned): Transaction {
  return Transaction.fromPSBT(unsigned.toPSBT(), OPTIONS);
}

/** Puts the witnesses together, since wallets do not know this script, and checks every signature. */
function complete(planned: Planned, wallet: TradingWallet, transaction: Transaction): Signed {
  for (const [place, { coin, kind }] of planned.inputs.entries()) {
    const { partialSig = [] } = transaction.getInput(place);
    const found = partialSig.find(([key, signature]) => isRight(transaction, place, coin.sats, kind, wallet, key, signature));
    if (found === undefined) {
      throw new Problem(
        partialSig.length === 0
          ? 'A signature is missing. Sign every input with the key of this trading wallet, and do not let the wallet finalise it.'
          : 'A signature is wrong, or was made with another key or another type than SIGHASH_ALL.',
      );
    }
    const [key, signature] = found;
    const skipped = wallet.user.indexOf(hex.encode(key));
    const none = new Uint8Array();
    transaction.updateInput(place, {
      finalScriptWitness: kind === 'own'
        ? [signature, key]
        // Empty in place of the platform's signature, and of the key that the script tries first.
        : [none, signature, ...Array<Uint8Array>(skipped).fill(none), wallet.witnessScript],
    }, true);
  }
  const bytes = transaction.extract();
  if (transaction.id !== planned.txid) throw new Problem('The signed transaction is not the planned one.');
  return { txid: planned.txid, hex: hex.encode(bytes) };
}

function isRight(
  transaction: Transaction,
  place: number,
  sats: bigint,
  kind: 'delayed' | 'own',
  wallet: TradingWallet,
  key: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.at(-1) !== SigHash.ALL || !wallet.user.includes(hex.encode(key))) return false;
  const script = kind === 'delayed' ? wallet.witnessScript : scriptCodeOf(transaction, place);
  const digest = transaction.preimageWitnessV0(place, script, SigHash.ALL, sats);
  try {
    return secp256k1.verify(signature.slice(0, -1), digest, key, { prehash: false, format: 'der', lowS: true });
  } catch {
    return false;
  }
}

/** DUP HASH160 <hash> EQUALVERIFY CHECKSIG (BIP 143). */
function scriptCodeOf(transaction: Transaction, place: number): Uint8Array {
  const program = transaction.getInput(place).witnessUtxo?.script ?? new Uint8Array();
  return hex.decode(`76a914${hex.encode(program.slice(2))}88ac`);
}
