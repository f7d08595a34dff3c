import { type Balance, type Coin, type Coins as AllCoins, prepareRenewal, release } from '@runeport/client/wallet';
import { useState } from 'preact/hooks';

import {
  Button, Callout, Check, EmptyState, ErrorState, Facts, Figures, Pill, Table, type Tone, useCall, Value,
} from '../../components/index.ts';
import { btc, count, plural, sats, short, units, when, words } from '../../lib/format.ts';
import { api } from '../../stores/session.ts';
import { FeeSelect, type FeeTarget } from './FeeSelect.tsx';
import { underWay, untilUserOnly, walletTurn } from './model.ts';
import type { Keys } from './Way.tsx';

const outpoint = (id: string): string => {
  const [txid = '', vout = ''] = id.split(':');
  return `${short(txid, 6)}:${vout}`;
};

const STATE_TONES: Partial<Record<Coin['state'], Tone>> = { free: 'ok', reserved: 'warn', spending: 'info', pending: 'info', inscribed: 'accent' };
const RENEWAL_TONES: Record<Coin['renewal'], Tone> = { none: 'plain', advised: 'info', needed: 'warn', userOnly: 'bad' };

/** What the wallet holds, in a few figures. */
export function Balances({ balance }: { balance: Balance | undefined }) {
  const of = (read: (balance: Balance) => string) => (balance ? read(balance) : '–');
  const facts = balance && ([
    ['Reserved by unsigned transactions', balance.btc.reserved],
    ['Being spent', balance.btc.spending],
    ['Own change without a block', balance.btc.incoming.own],
    ['Received without a block', balance.btc.incoming.external],
    ['In coins with runes', balance.btc.withRunes],
    ['In coins with inscriptions', balance.btc.withInscriptions],
    ['In coins with unknown contents', balance.btc.unknown],
    ['In coins to renew', balance.btc.needsRenewal],
  ] as const).filter(([, amount]) => amount > 0);
  return (
    <>
      <Figures
        of={[
          ['Total', of(({ btc: { confirmed } }) => btc(confirmed))],
          ['Available', of(({ btc: { available } }) => btc(available))],
          ['Runes', of(({ runes }) => (runes ? count(runes.length) : 'unknown')), balance?.runes?.length === 1 ? 'kind' : 'kinds'],
          ['Coins', of(({ coins: { notRead, ...read } }) => count(Object.values(read).reduce((sum, of) => sum + of, 0)))],
        ]}
      />
      {balance?.checks === 'unavailable' && <Callout tone="warn">The contents of the coins could not be read, so only sats are known.</Callout>}
      {facts && facts.length > 0 && <Facts of={facts.map(([name, amount]) => [name, sats(amount)] as const)} />}
      {balance && <Facts of={[['Trading address', <Value text={balance.address} ends={16} label="Copy trading address" />]]} />}
      {balance?.runes && balance.runes.length > 0 && (
        <Table
          caption="Runes"
          rows={balance.runes}
          rowKey={({ name }) => name}
          columns={[
            { title: 'Rune', cell: ({ name, runeId }) => <span title={runeId ?? undefined}>{name}</span> },
            { title: 'Available', align: 'end', cell: ({ available, divisibility }) => units(available, divisibility ?? 0) },
            { title: 'Reserved', align: 'end', cell: ({ reserved, divisibility }) => units(reserved, divisibility ?? 0) },
            { title: 'Being spent', align: 'end', cell: ({ spending, divisibility }) => units(spending, divisibility ?? 0) },
            { title: 'Incoming', align: 'end', cell: ({ incoming, divisibility }) => units(incoming, divisibility ?? 0) },
            { title: 'In blocks', align: 'end', cell: ({ confirmed, divisibility }) => units(confirmed, divisibility ?? 0) },
          ]}
        />
      )}
    </>
  );
}

function Held({ coin }: { coin: Coin }) {
  const free = useCall(async (txId: string) => {
    await release(api, txId);
    if (underWay.peek()?.prepared.transaction.txId === txId) underWay.value = undefined;
    walletTurn.value += 1;
  }, { done: 'The transaction has ended. Its coins are free again.' });
  const { heldBy } = coin;
  if (heldBy === null) return null;
  return (
    <span class="row small">
      <span title={heldBy.txId}>{heldBy.until === null ? 'by' : `until ${when(heldBy.until)} by`} <code>{short(heldBy.txId, 4)}</code></span>
      {heldBy.until !== null && (
        <Button size="small" busy={free.busy} onClick={() => void free.run(heldBy.txId)}>Release <span class="visually-hidden">{outpoint(coin.id)}</span></Button>
      )}
      {free.error && <ErrorState failure={free.error} />}
    </span>
  );
}

/** The coins: what each holds, what it is good for, and until when; and their renewal. */
export function Coins({ held, keys }: { held: AllCoins; keys: Keys }) {
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [feeTarget, setFeeTarget] = useState<FeeTarget>('economy');
  const renew = useCall(async (txIdVouts: readonly string[] | undefined) => {
    const prepared = await prepareRenewal(api, keys, { txIdVouts, feeTarget }, { tradingAddress: keys.address });
    setPicked([]);
    underWay.value = { title: 'Renew coins', what: 'A renewal of coins', prepared, names: {}, route: 'account' };
    walletTurn.value += 1;
  }, { done: 'The renewal was created. Read it before you sign.' });
  const { coins } = held;
  const chosen = picked.filter((id) => coins.some((coin) => coin.id === id && coin.usableFor.includes('renew')));
  const due = coins.filter(({ renewal, usableFor }) => renewal !== 'none' && usableFor.includes('renew'));
  const busy = underWay.value !== undefined;
  if (coins.length === 0) return <EmptyState title="No coins yet">Get sats from the faucet, then mine a block.</EmptyState>;
  return (
    <>
      <Table<Coin>
        caption="Coins"
        rows={coins}
        rowKey={({ id }) => id}
        columns={[
          {
            title: 'Renew', quiet: true, cell: ({ id, usableFor }) => usableFor.includes('renew') && (
              <Check
                label={<span class="visually-hidden">Renew {outpoint(id)}</span>} checked={picked.includes(id)}
                onChange={(on) => setPicked(on ? [...picked, id] : picked.filter((other) => other !== id))}
              />
            ),
          },
          { title: 'Outpoint', nowrap: true, cell: ({ id }) => <code title={id}>{outpoint(id)}</code> },
          { title: 'Sats', align: 'end', cell: ({ sats: value }) => count(value) },
          {
            title: 'Contents', cell: ({ runes, inscriptions }) => (
              <span class="row">
                {runes?.map((rune) => <Pill key={rune.name} tone="accent" dot={false}>{units(rune.amount, rune.divisibility ?? 0)} {rune.name}</Pill>)}
                {inscriptions.map((id) => <Pill key={id} tone="info" dot={false}>inscription</Pill>)}
                {runes === null && <span class="muted">unknown</span>}
                {runes?.length === 0 && inscriptions.length === 0 && <span class="muted">sats only</span>}
              </span>
            ),
          },
          {
            title: 'State', cell: (coin) => (
              <span class="cell-lines">
                <span class="row"><Pill tone={STATE_TONES[coin.state] ?? 'warn'}>{words(coin.state)}</Pill><Held coin={coin} /></span>
                <small class="muted">{coin.usableFor.length === 0 ? 'good for nothing now' : `good for ${coin.usableFor.join(', ')}`}</small>
              </span>
            ),
          },
          {
            title: 'Yours alone', cell: (coin) => (
              <span class="row small">
                {coin.renewal !== 'none' && <Pill tone={RENEWAL_TONES[coin.renewal]}>{`renewal ${coin.renewal === 'userOnly' ? 'overdue' : coin.renewal}`}</Pill>}
                {untilUserOnly(coin)}
              </span>
            ),
          },
        ]}
      />
      {held.notRead > 0 && <Callout tone="plain">{plural(held.notRead, 'further coin')} of little value not read.</Callout>}
      <RenewalForm
        label="Renewal" busy={renew.busy || busy} chosen={chosen.length} due={due.length} feeTarget={feeTarget} onFee={setFeeTarget}
        onChosen={() => void renew.run(chosen)} onDue={() => void renew.run(undefined)}
      />
      {renew.error && <ErrorState failure={renew.error} />}
    </>
  );
}

function RenewalForm({ label, busy, chosen, due, feeTarget, onFee, onChosen, onDue }: {
  label: string; busy: boolean; chosen: number; due: number; feeTarget: FeeTarget; onFee: (value: FeeTarget) => void;
  onChosen: () => void; onDue: () => void;
}) {
  return (
    <div class="form" role="group" aria-label={label}>
      <FeeSelect value={feeTarget} onChange={onFee} span={4} />
      <div class="row" data-span="8" style={{ alignSelf: 'end', minHeight: '36px' }}>
        <Button disabled={busy || chosen === 0} onClick={onChosen}>Renew {plural(chosen, 'chosen coin')}</Button>
        <Button kind="quiet" disabled={busy || due === 0} onClick={onDue}>Renew what is due ({count(due)})</Button>
      </div>
    </div>
  );
}
