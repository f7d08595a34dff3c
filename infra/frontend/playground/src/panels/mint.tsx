import { call } from '@runeport/client';
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { announce } from '../app/announce.tsx';
import { panelParams, showInUrl } from '../app/router.ts';
import {
  Button, Callout, EmptyState, ErrorState, Facts, Figures, Loaded, LoadingState, More, Section, Select, StatusPill, Table, useCall, useLoad, Value,
} from '../components/index.ts';
import { count, plural, sats, short, when, words } from '../lib/format.ts';
import { useMintEvents } from '../stores/live.ts';
import { height, localCall } from '../stores/local.ts';
import { account, api } from '../stores/session.ts';
import { Admin } from './mint/Admin.tsx';
import { followBlock, mineBlocks, mintChanges, nextBlock, OUTLOOK_KEPT, turn } from './mint/chain.ts';
import { batchesOf, letOthersBid } from './mint/crowd.ts';
import { LeftOver } from './mint/LeftOver.tsx';
import { type Batch, type Mint, type Next, type Picture, pictureOf, requests, type VirtualBlock } from './mint/model.ts';
import { Refund } from './mint/Refund.tsx';
import { Scene } from './mint/Scene.tsx';
import { Take } from './mint/Take.tsx';
import '../styles/mint.css';

/** The mint of the last visit. */
const chosen = signal<string | undefined>(undefined);

const choose = (id: string): void => showInUrl('mint', { id });
/** Rows that the page reads of a list: it asks for what it shows, not for everything. */
const SHOWN = 50;

/** A sentence about the effect of the last Bitcoin block on the mint. */
function useLastBlock(mint: Mint, picture: Picture): string {
  const [said, setSaid] = useState('');
  const before = useRef({ mint: mint.id, taken: picture.taken });
  useEffect(() => {
    const { mint: id, taken } = before.current;
    before.current = { mint: mint.id, taken: picture.taken };
    if (id !== mint.id || taken === picture.taken) return;
    const difference = picture.taken - taken;
    const text = difference > 0
      ? `Bitcoin block ${count(height.peek() ?? 0)}: its virtual block took ${plural(difference, 'request')}.`
      : `A chain reorganisation returned ${plural(-difference, 'request')} to the mempool.`;
    setSaid(text);
    announce(text);
  }, [mint.id, picture.taken]);
  return said;
}

function Mempool({ mint, next, own }: { mint: Mint; next: Next; own: readonly Batch[] }) {
  const picture = useMemo(() => pictureOf(mint, next, own), [mint, next, own]);
  const said = useLastBlock(mint, picture);
  const mine = useCall(mineBlocks);
  const others = useCall(() => letOthersBid(mint), { done: (asked) => `Other users bid for ${plural(asked, 'request')}.` });
  const busy = mine.busy || others.busy;
  const open = !mint.closed && picture.left > 0;
  const taking = new Map(picture.next.map(({ price, count: some }) => [price, some]));
  return (
    <Section
      title="Mempool and virtual blocks"
      description={`Each Bitcoin block is also a virtual block. It takes up to ${plural(mint.requestsPerBlock, 'request')}, highest prices first.`}
      actions={
        <>
          {open && <Button size="small" icon="user" busy={others.busy} disabled={busy} onClick={() => void others.run()}>Let others bid</Button>}
          <Button size="small" kind="primary" icon="block" busy={mine.busy} disabled={busy} onClick={() => void mine.run(1)}>Mine a block</Button>
          <Button size="small" busy={false} disabled={busy} onClick={() => void mine.run(7)}>Mine 7</Button>
        </>
      }
    >
      <Scene mint={mint} picture={picture} signedIn={account.value?.tradingAddress != null} />
      <p class="scene-said">{said || (open && requests(picture.next) === 0 ? 'No requests are waiting. Bid below, or let others bid.' : '\u00a0')}</p>
      {picture.further > 0 && <p class="small muted">{plural(picture.further, 'further request')} at lower prices {picture.further === 1 ? 'is' : 'are'} not drawn.</p>}
      <Whatnext mint={mint} left={picture.left} />
      {(mine.error ?? others.error) && <ErrorState failure={(mine.error ?? others.error)!} />}
      <Counters mint={mint} next={next} own={own} />
      {picture.levels.length > 0 && (
        <More title="What waits, as a table">
          <Table
            caption="Waiting requests by price"
            rows={picture.levels}
            rowKey={({ price }) => String(price)}
            columns={[
              { title: 'Sats per request', align: 'end', cell: ({ price }) => count(price) },
              { title: 'Requests', align: 'end', cell: (level) => count(level.count) },
              { title: 'Next block', align: 'end', cell: ({ price }) => count(taking.get(price) ?? 0) },
              { title: 'In a Bitcoin block', align: 'end', cell: ({ confirmed }) => count(confirmed) },
              { title: 'Yours', align: 'end', cell: (level) => count(level.mine) },
            ]}
          />
        </More>
      )}
    </Section>
  );
}

/** The virtual blocks that have taken requests. */
function Blocks({ mint }: { mint: Mint }) {
  const blocks = useLoad(async () => {
    const params = { path: { id: mint.id }, query: { pageSize: SHOWN } };
    const { data, metaData } = await call(api, 'get', '/api/vm-transactions/mints/{id}/blocks', { params });
    // Without `select`, every field is there.
    return { list: data as readonly VirtualBlock[], total: metaData.totalItems };
  }, [mint.id, mintChanges()]);
  return (
    <Section title="Virtual blocks" description="What past blocks took, and for how much. A block is final once seven Bitcoin blocks confirm it.">
      <Loaded call={blocks}>
        {({ list, total }) => list.length === 0 ? (
          <EmptyState title="No virtual block yet">The first Bitcoin block that takes requests appears here.</EmptyState>
        ) : (
          <>
            <Table
              caption="Virtual blocks"
              rows={list}
              rowKey={({ id }) => id}
              columns={[
                { title: 'Height', align: 'end', cell: (block) => count(block.height) },
                { title: 'Requests', align: 'end', cell: (block) => count(block.requests) },
                { title: 'Batches', align: 'end', cell: (block) => count(block.batches) },
                { title: 'Lowest price', align: 'end', cell: ({ lowestPrice }) => count(lowestPrice) },
                { title: 'Average', align: 'end', cell: ({ averagePrice }) => count(averagePrice) },
                { title: 'Highest price', align: 'end', cell: ({ highestPrice }) => count(highestPrice) },
                { title: 'Final', cell: (block) => (block.final ? 'yes' : 'not yet') },
              ]}
            />
            {total > list.length && <p class="small muted">The newest {count(list.length)} of {count(total)}.</p>}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The next step of a mint that no longer accepts requests. */
function Whatnext({ mint, left }: { mint: Mint; left: number }) {
  if (!mint.closed && left > 0) return null;
  const text = {
    open: mint.closed && left > 0
      ? 'The mint is closed. This is final after seven blocks: mine them, and you can refund your payments.'
      : 'Every request is taken. This is final after seven blocks: mine them, and the mint is minted out.',
    mintedOut: 'The mint is minted out. It now pays the sats to the recipient of the proceeds and the runes to the bidders. Mine seven more blocks to see this.',
    failed: 'The mint closed before every request was taken. You can refund your payments below.',
    distributed: 'The mint has ended: the runes and the sats have arrived. You can refund requests that were not taken below.',
  }[mint.state];
  return <Callout tone={mint.state === 'distributed' ? 'ok' : 'info'}>{text}</Callout>;
}

function Counters({ mint, next, own }: { mint: Mint; next: Next; own: readonly Batch[] }) {
  const userAddress = account.value?.addresses[0]?.address;
  const mine = useLoad(async () => {
    if (userAddress === undefined) return undefined;
    const params = { query: { runeId: mint.runeId, userAddress } };
    return (await call(api, 'get', '/api/vm-transactions/count-unconfirmed-requests', { params })).data.count;
  }, [mint.runeId, userAddress, mintChanges()]);
  const states = new Map<string, number>();
  for (const { mintId, state } of own) if (mintId === mint.id) states.set(state, (states.get(state) ?? 0) + 1);
  return (
    <>
      {mine.error && <ErrorState failure={mine.error} onRetry={() => void mine.reload()} />}
      <Figures
        of={[
          next.priceToEnter === null ? ['Price to enter the next block', 'full'] : ['Price to enter the next block', count(next.priceToEnter), 'sats'],
          ['Waiting requests', count(next.waiting.requests), `for ${sats(next.waiting.sats)}`],
          ['Your waiting requests', mine.data === undefined ? '–' : count(mine.data)],
          ['In virtual blocks', count(mint.requestsInBlocksCount), `of ${count(mint.totalRequests)}`],
        ]}
      />
      {states.size > 0 && (
        <ul role="list" class="row" aria-label="Your batches by state">
          {[...states].map(([state, some]) => (
            <li key={state} class="row"><StatusPill status={state} /> <span class="small num">{count(some)}</span></li>
          ))}
        </ul>
      )}
    </>
  );
}

function About({ mint, mints, busy, onAgain }: { mint: Mint; mints: readonly Mint[]; busy: boolean; onAgain: () => void }) {
  return (
    <Section
      anchor="mint"
      title={mint.runeName}
      actions={
        <>
          {mint.closed && mint.state === 'open' ? <StatusPill status="closing" /> : <StatusPill status={mint.state} />}
          <Button size="small" icon="refresh" busy={busy} onClick={onAgain}>Reload</Button>
        </>
      }
    >
      {mints.length > 1 && (
        <Select
          label="Mint"
          value={mint.id}
          options={mints.map(({ id, runeName, state, closed }) => ({ value: id, label: `${runeName} · ${closed && state === 'open' ? 'closing' : words(state)}` }))}
          onChange={choose}
        />
      )}
      <Figures
        of={[
          ['Requests left', count(Math.max(0, mint.totalRequests - mint.requestsInBlocksCount)), `of ${count(mint.totalRequests)}`],
          ['Limit per virtual block', count(mint.requestsPerBlock)],
          ['Runes per request', count(BigInt(mint.tokensPerRequest))],
          ['Minimum price', count(mint.minSatsPerRequest), 'sats'],
        ]}
      />
      <More title="More about this mint">
        <Facts
          of={[
            ['Rune', <Value text={mint.runeId} />],
            ['Open until', when(mint.closesAt)],
            ['Bidders pay to', <Value text={mint.treasuryAddress} ends={12} />],
            ['Runes come from', <Value text={mint.poolAddress} ends={12} />],
            ['Proceeds go to', <Value text={mint.proceedsAddress} ends={12} />],
            ['Id', <Value text={mint.id} ends={18} />],
          ]}
        />
      </More>
    </Section>
  );
}

/** The newest batches of the rune, whoever made them. */
async function newestBatches(runeId: string): Promise<Batch[]> {
  const query = { runeId_eq: runeId, sort: '-timestamp', pageSize: SHOWN };
  return (await call(api, 'get', '/api/vm-transactions', { params: { query } })).data;
}

function Batches({ mint, own: ownBatches }: { mint: Mint; own: readonly Batch[] }) {
  const own = account.value?.tradingAddress;
  const [all, setAll] = useState(false);
  const others = useLoad(async () => (all ? newestBatches(mint.runeId) : undefined), [mint.runeId, all, mintChanges()]);
  const shown = ((all ? others.data : undefined) ?? ownBatches).filter(({ mintId }) => mintId === mint.id);
  return (
    <Section
      anchor="batches"
      title={all ? `The newest ${SHOWN} batches` : 'Your batches'}
      actions={<Button size="small" pressed={all} busy={others.busy && others.data === undefined} onClick={() => setAll(!all)}>{all ? 'Only mine' : 'Include others'}</Button>}
    >
      {others.error && <ErrorState failure={others.error} onRetry={() => void others.reload()} />}
      {shown.length === 0 ? (
        <EmptyState title="No batch yet">Each batch appears here with its state, its replacement, and its runes and sats.</EmptyState>
      ) : (
        <Table
          caption="Batches"
          rows={shown}
          rowKey={({ id }) => id}
          columns={[
            { title: 'Batch', nowrap: true, cell: ({ txId, tradingAddress }) => <span class="row"><Value text={txId} ends={5} />{all && tradingAddress === own && <span class="small muted">yours</span>}</span> },
            { title: 'State', cell: ({ state }) => <StatusPill status={state} /> },
            { title: 'Sats per request', align: 'end', cell: ({ satsPerNewRequest }) => count(satsPerNewRequest) },
            { title: 'Waiting', align: 'end', cell: ({ requestsInMempoolCount }) => count(requestsInMempoolCount) },
            { title: 'Taken', align: 'end', cell: ({ requestsInBlocksCount }) => count(requestsInBlocksCount) },
            {
              title: 'Result', cell: (row) => (
                <span class="small">
                  {[
                    row.replacedByTxId && `replaced by ${short(row.replacedByTxId, 4)}`,
                    row.replaceTxId && `replaces ${short(row.replaceTxId, 4)}`,
                    row.distributeRuneTxId && `runes sent in ${short(row.distributeRuneTxId, 4)}`,
                    row.notTakenSats > 0 && row.refundState !== 'refunded' && `${sats(row.notTakenSats)} refundable`,
                    row.refundState !== 'none' && `refund ${words(row.refundState)}`,
                  ].filter(Boolean).join(', ') || '–'}
                </span>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

/** Whether the mint accepts requests. */
const isOpen = (mint: Mint): boolean => !mint.closed && mint.requestsInBlocksCount < mint.totalRequests;

function VirtualMint() {
  const named = panelParams.value.get('id') ?? undefined;
  const mints = useLoad(async () => {
    const { data } = await call(api, 'get', '/api/vm-transactions/mints', { params: { query: { sort: '-createdAt', pageSize: SHOWN } } });
    // A link may lead to an older mint.
    const isOlder = named !== undefined && data.every(({ id }) => id !== named);
    const rows = isOlder ? [...data, (await call(api, 'get', '/api/vm-transactions/mints/{id}', { params: { path: { id: named } } })).data] : data;
    const { now } = await localCall<{ now: number }>('/_local/clock', { body: { advanceMs: 0 }, quiet: true });
    return rows.map((row): Mint => ({ ...row, closed: row.state !== 'open' || row.closesAt <= now }));
  }, [mintChanges(), named]);
  useEffect(() => {
    if (named !== undefined) chosen.value = named;
  }, [named]);
  const mint = mints.data?.find(({ id }) => id === (named ?? chosen.value)) ?? mints.data?.find(({ closed }) => !closed) ?? mints.data?.[0];
  const mintId = mint?.id;
  const next = useLoad(
    async () => (mintId === undefined ? undefined : { mintId, next: await nextBlock({ id: mintId }) }),
    [mintId, mintChanges()],
    { again: () => OUTLOOK_KEPT },
  );
  const address = account.value?.tradingAddress ?? undefined;
  const own = useLoad(
    async () => ({ address, list: address === undefined ? [] : await batchesOf(api, address, SHOWN) }),
    [address, mintChanges()],
  );
  useMintEvents(mintId);
  const outlook = next.data?.mintId === mintId ? next.data?.next : undefined;
  const batches = own.data?.address === address ? own.data?.list : undefined;

  const seen = useRef(height.value);
  useEffect(() => {
    const before = seen.current;
    seen.current = height.value;
    // Update the picture after every new block, no matter who mined it, but not after the first load.
    if (before !== undefined && height.value !== undefined && before !== height.value) void followBlock();
  }, [height.value]);

  // All at once, so that nothing moves while it is read.
  if (mint && [next, own].some(({ data, error }) => data === undefined && error === undefined)) {
    return <LoadingState lines={12} label="Loading the mint" />;
  }
  return (
    <Loaded call={mints} lines={12}>
      {(list) => (
        <>
          {mint ? (
            <>
              <About mint={mint} mints={list} busy={mints.busy} onAgain={() => { turn.value += 1; }} />
              {next.error && <ErrorState failure={next.error} onRetry={() => void next.reload()} />}
              {own.error && <ErrorState failure={own.error} onRetry={() => void own.reload()} />}
              {outlook && batches && (
                <>
                  <Mempool mint={mint} next={outlook} own={batches} key={mint.id} />
                  <Take mint={mint} batches={batches} open={isOpen(mint)} />
                  <Blocks mint={mint} key={`${mint.id} blocks`} />
                  <Batches mint={mint} own={batches} />
                  <LeftOver batches={batches.filter(({ mintId: of }) => of === mint.id)} />
                </>
              )}
              <Refund mint={mint} />
            </>
          ) : (
            <EmptyState title="No mint yet">
              The local world creates a mint once its Bitcoin programs are running. An admin can also open one below.
            </EmptyState>
          )}
          <Admin mint={mint} onMade={choose} />
        </>
      )}
    </Loaded>
  );
}

export default VirtualMint;
