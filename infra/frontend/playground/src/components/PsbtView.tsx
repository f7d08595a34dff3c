import type { PsbtDescription } from '@runeport/client/bitcoin';
import { hex } from '@scure/base';
import { useEffect, useState } from 'preact/hooks';

import { count, plural, sats, short, units } from '../lib/format.ts';
import { type Rune, runeOf } from '../stores/local.ts';
import { Value } from './Copy.tsx';
import { Facts } from './Layout.tsx';
import { Pill } from './Pill.tsx';
import { Table } from './Table.tsx';
import '../styles/psbt.css';

interface PsbtViewProps {
  psbt: PsbtDescription;
  /** Addresses of the user; outputs to them are change. */
  own: readonly string[];
  /** Inputs that the user's wallet signs. */
  userInputIndexes: readonly number[];
  /** In sat/vB, from the service. */
  feeRate?: number;
  /** Addresses with a name, such as the treasury's. */
  names?: Readonly<Record<string, string>>;
}

/** The runes in a runestone by id, as far as ord knows them. */
function useRunes(ids: readonly string[]): Record<string, Rune> {
  const [known, setKnown] = useState<Record<string, Rune>>({});
  const key = ids.join();
  useEffect(() => {
    let left = false;
    void Promise.allSettled(ids.map(runeOf)).then((answers) => {
      if (left) return;
      setKnown(Object.fromEntries(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [[answer.value.runeId, answer.value]] : []))));
    });
    return () => {
      left = true;
    };
    // Depends on the ids only.
  }, [key]);
  return known;
}

/** A transaction to read before signing: inputs, outputs and their owners, runes, fee. */
export function PsbtView({ psbt, own, userInputIndexes, feeRate, names = {} }: PsbtViewProps) {
  const { runestone, inputs, outputs, fee } = psbt;
  const runes = useRunes([...new Set(runestone?.edicts.map(({ runeId }) => runeId) ?? [])]);
  const isOwn = (address: string | undefined) => address !== undefined && own.includes(address);
  const amountOf = (runeId: string, amount: bigint) => {
    const rune = runes[runeId];
    return rune === undefined ? `${count(amount)} of ${runeId}` : `${units(amount, rune.divisibility)} ${rune.name}`;
  };
  const edictsTo = (index: number) =>
    runestone?.edicts.filter(({ output }) => output === index || output === outputs.length) ?? [];
  return (
    <div class="psbt">
      <div>
        <h4>{plural(inputs.length, 'input')}</h4>
        <Table
          caption="Inputs"
          rows={inputs.map((input, index) => ({ ...input, index }))}
          rowKey={({ index }) => String(index)}
          columns={[
            { title: '#', cell: ({ index }) => index },
            { title: 'Outpoint', nowrap: true, cell: ({ txId, vout }) => <code title={`${txId}:${vout}`}>{short(txId, 6)}:{vout}</code> },
            {
              title: 'Owner', cell: ({ address, index }) => (
                <span class="row">
                  {isOwn(address) ? <Pill tone="ok" dot={false}>yours</Pill> : <Pill dot={false}>{names[address ?? ''] ?? 'not yours'}</Pill>}
                  {userInputIndexes.includes(index) && <Pill tone="accent" dot={false}>you sign</Pill>}
                </span>
              ),
            },
            { title: 'Sats', align: 'end', cell: (input) => count(input.sats) },
          ]}
        />
      </div>
      <div>
        <h4>{plural(outputs.length, 'output')}</h4>
        <Table
          caption="Outputs"
          rows={outputs.map((output, index) => ({ ...output, index }))}
          rowKey={({ index }) => String(index)}
          columns={[
            { title: '#', cell: ({ index }) => index },
            {
              title: 'To', cell: ({ address, data, script }) =>
                address !== undefined ? <code title={address}>{short(address, 9)}</code>
                : data !== undefined ? <code title={hex.encode(data)}>OP_RETURN {short(hex.encode(data), 6)}</code>
                : script.startsWith('6a5d') ? 'OP_RETURN runestone' : <code>{short(script, 8)}</code>,
            },
            {
              title: 'Purpose', cell: ({ address, index, data, script }) => (
                <span class="row">
                  {address === undefined
                    ? <Pill dot={false}>{data !== undefined ? 'commitment' : script.startsWith('6a5d') ? 'runes' : 'script'}</Pill>
                    : isOwn(address) ? <Pill tone="ok" dot={false}>back to you</Pill>
                    : <Pill tone="info" dot={false}>{names[address] ?? 'paid'}</Pill>}
                  {edictsTo(index).map(({ runeId, amount }) => <Pill key={runeId} tone="accent" dot={false}>{amountOf(runeId, amount)}</Pill>)}
                  {runestone?.pointer === index && <Pill tone="accent" dot={false}>other runes</Pill>}
                </span>
              ),
            },
            { title: 'Sats', align: 'end', cell: (output) => count(output.sats) },
          ]}
        />
      </div>
      <Facts
        of={[
          ['Fee', <strong class="num">{sats(fee)}</strong>],
          ['Fee rate', feeRate === undefined ? undefined : <span class="num">{feeRate} sat/vB</span>],
          ['Runestone', runestone === undefined ? 'none' : (
            <span>
              {plural(runestone.edicts.length, 'edict')}: {runestone.edicts.map(({ runeId, amount, output }) => `${amountOf(runeId, amount)} → output ${output}`).join(', ')}
              {runestone.pointer !== undefined && `; the rest → output ${runestone.pointer}`}
            </span>
          )],
          ['Note', <span>{psbt.remarks.join(' ')}</span>],
          ['Transaction', <Value text={psbt.txId} ends={10} label="Copy transaction id" />],
        ]}
      />
    </div>
  );
}
