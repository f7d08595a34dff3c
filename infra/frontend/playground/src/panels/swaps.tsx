import { call } from '@runeport/client';
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';

import {
  Button, EmptyState, Facts, Field, Figures, Form, Loaded, Pill, Section, StatusPill, Table, useLoad, Value,
} from '../components/index.ts';
import { ago, count, plural, short, units } from '../lib/format.ts';
import { changes } from '../stores/live.ts';
import { account, api } from '../stores/session.ts';
import { CHAINS } from '../stores/wallets.ts';
import { Catalogue } from './swaps/Catalogue.tsx';
import { Follow } from './swaps/Follow.tsx';
import { chainName, SAMPLES, tokenOf } from './swaps/model.ts';
import { Register } from './swaps/Register.tsx';
import '../styles/swaps.css';

const followed = signal<{ txId: string; isOwn: boolean } | undefined>(undefined);
const turn = signal(0);

interface Filter {
  relatedAddress: string;
  token: string;
  pair: string;
}
const NONE: Filter = { relatedAddress: '', token: '', pair: '' };
const filter = signal<Filter>(NONE);

const PAGE = 6;

function amount(value: string | null | undefined, token: string | null | undefined): string {
  if (value == null) return 'unknown';
  const known = tokenOf(token);
  return known ? `${units(value, known.decimals)} ${known.symbol}` : `${count(BigInt(value))} of ${short(token ?? '', 5)}`;
}

const isOwn = (userAddress: string | undefined): boolean =>
  account.value?.addresses.some(({ address }) => address === userAddress) ?? false;

function Filters({ onSet }: { onSet: () => void }) {
  const [typed, setTyped] = useState(filter.value);
  const set = (next: Filter) => {
    setTyped(next);
    filter.value = next;
    onSet();
  };
  const own = account.value?.addresses ?? [];
  const [first, second] = [SAMPLES[0].address, SAMPLES[2].address];
  return (
    <Form label="Filters" onSubmit={() => set(typed)}>
      <Field label="Related address" name="relatedAddress_eq" span={4} mono value={typed.relatedAddress} onInput={(relatedAddress) => setTyped({ ...typed, relatedAddress })} />
      <Field label="Token" name="intentToken_eq" span={4} mono value={typed.token} onInput={(token) => setTyped({ ...typed, token })} />
      <Field label="Pair of tokens" name="intentTokenPair_eq" span={4} mono placeholder="a,b" value={typed.pair} onInput={(pair) => setTyped({ ...typed, pair })} />
      <div class="row">
        <Button type="submit" size="small">Filter</Button>
        <Button size="small" kind="quiet" onClick={() => set(NONE)}>All</Button>
        {own.map(({ address, chain }) => (
          <Button key={address} size="small" kind="quiet" onClick={() => set({ ...NONE, relatedAddress: address })}>My {CHAINS.find(({ value }) => value === chain)?.label ?? chain} address</Button>
        ))}
        <Button size="small" kind="quiet" onClick={() => set({ ...NONE, token: first })}>USDC on Arbitrum</Button>
        <Button size="small" kind="quiet" onClick={() => set({ ...NONE, pair: `${first},${second}` })}>USDC and WETH</Button>
      </div>
    </Form>
  );
}

function List() {
  const [page, setPage] = useState(1);
  const { relatedAddress, token, pair } = filter.value;
  const list = useLoad(async () => {
    const query = {
      page, pageSize: PAGE,
      ...(relatedAddress !== '' && { relatedAddress_eq: relatedAddress }),
      ...(token !== '' && { intentToken_eq: token }),
      ...(pair !== '' && { intentTokenPair_eq: pair }),
    };
    const { data, metaData } = await call(api, 'get', '/api/xchain/transactions', { params: { query } });
    return { rows: data, metaData };
  }, [page, relatedAddress, token, pair, turn.value, changes('xchain.statusChanged')]);
  return (
    <Section
      title="Cross-chain transactions"
      description="All users’ swaps and signed withdrawals. This list is public."
      actions={<Button size="small" icon="refresh" busy={list.busy} onClick={() => void list.reload()}>Reload</Button>}
    >
      <Filters onSet={() => setPage(1)} />
      <Loaded call={list}>
        {({ rows, metaData }) => rows.length === 0 ? (
          <EmptyState title="No transactions">
            {metaData.totalItems === 0 && filter.value === NONE ? 'Register a swap to see it here.' : 'No transaction matches the filter.'}
          </EmptyState>
        ) : (
          <>
            <Table
              caption="Cross-chain transactions"
              rows={rows}
              rowKey={({ id }) => id}
              columns={[
                { title: 'Pays', nowrap: true, cell: ({ intent, srcChain }) => <span class="swap-side">{amount(intent.inputAmount, intent.inputToken)}<small>{chainName(srcChain)}</small></span> },
                { title: 'Receives', nowrap: true, cell: ({ intent, dstChain, type }) => <span class="swap-side">{amount(intent.minOutputAmount, intent.outputToken)}<small>{type === 'swap' ? chainName(dstChain) : 'withdrawal'}</small></span> },
                { title: 'Status', cell: ({ status, verified }) => <span class="row"><StatusPill status={status} />{!verified && <Pill dot={false}>not verified</Pill>}</span> },
                { title: 'Last change', nowrap: true, cell: ({ updatedAt }) => ago(updatedAt) },
                { title: 'Hash', nowrap: true, cell: ({ txId }) => <Value text={txId} ends={5} /> },
                {
                  title: 'Follow', quiet: true, cell: ({ txId, userAddress }) => (
                    <Button size="small" pressed={followed.value?.txId === txId} onClick={() => { followed.value = { txId, isOwn: isOwn(userAddress) }; }}>
                      Follow<span class="visually-hidden"> {short(txId, 5)}</span>
                    </Button>
                  ),
                },
              ]}
            />
            <div class="row" role="group" aria-label="Pages">
              <Button size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>Newer</Button>
              <span class="small muted num">Page {metaData.currentPage} of {Math.max(1, metaData.totalPages)} · {plural(metaData.totalItems, 'transaction')}</span>
              <Button size="small" disabled={page >= metaData.totalPages} onClick={() => setPage(page + 1)}>Older</Button>
            </div>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Affiliate() {
  const fee = useLoad(async () => (await call(api, 'get', '/api/xchain/affiliate')).data);
  return (
    <Section title="Affiliate fee" description="A swap that starts at this exchange pays this fee to the exchange. The app that builds the swap includes it.">
      <Loaded call={fee} lines={2}>
        {({ feeBps, feePercent, affiliateAddress }) => (
          <>
            <Figures of={[['Share of the swapped amount', `${feePercent}%`], ['In basis points', count(feeBps), 'bps']]} />
            <Facts of={[['Recipient', <Value text={affiliateAddress} ends={10} />]]} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Swaps() {
  const at = followed.value;
  return (
    <>
      {at !== undefined && <Follow key={at.txId} {...at} onMoved={() => { turn.value += 1; }} onClose={() => { followed.value = undefined; }} />}
      <Register
        onRegistered={(intentTxHash) => {
          followed.value = { txId: intentTxHash, isOwn: true };
          turn.value += 1;
        }}
      />
      <List />
      <Catalogue />
      <Affiliate />
    </>
  );
}

export default Swaps;
