import { call, RuneportError } from '@runeport/client';
import { useRef, useState } from 'preact/hooks';

import { AmountField, Button, Callout, EmptyState, ErrorState, Field, Form, More, Pill, Section, useCall } from '../../components/index.ts';
import { type AmountRule, amountOrThrow, isAmount, readAmount, SATS } from '../../lib/amount.ts';
import { count, plural } from '../../lib/format.ts';
import { levers, newRuneName } from '../../stores/local.ts';
import { isSure } from '../../stores/confirm.tsx';
import { account, api, loadAccount } from '../../stores/session.ts';
import { strangerAddress } from '../../stores/wallets.ts';
import { mineBlocks, turn } from './chain.ts';
import type { Mint } from './model.ts';

const DAY = 86_400_000;
/** The number of coins that pay for sending the runes from the pool. */
const POOL_COINS = 4;

/** The address that must hold a mint's runes. An existing mint states it; otherwise, the error of a test mint does. */
async function poolAddress(known: Mint | undefined): Promise<string> {
  if (known) return known.poolAddress;
  const { runeId } = await levers.etch(newRuneName(), '1', 0);
  const { now } = await levers.clock(0);
  try {
    await call(api, 'post', '/api/vm-transactions/mints', {
      body: {
        runeId, proceedsAddress: strangerAddress(), tokensPerRequest: '2', totalRequests: 1, requestsPerBlock: 1,
        minSatsPerRequest: 1_000, closesAt: now + DAY,
      },
    });
  } catch (error) {
    const [pool] = error instanceof RuneportError ? (/bcrt1q[0-9a-z]+/.exec(error.message) ?? []) : [];
    if (pool !== undefined) return pool;
    throw error;
  }
  throw new Error('The service accepted a mint whose rune is not in the pool.');
}

const REQUESTS: AmountRule = { decimals: 0, unit: 'request', units: 'requests', most: 4_294_967_295n };
/** A rune's supply has 128 bits. The page etches runes without decimals. */
const RUNES: AmountRule = { decimals: 0, unit: 'rune', units: 'runes', most: 2n ** 128n - 1n };
const DAYS: AmountRule = { decimals: 0, unit: 'day', units: 'days', most: 100_000n };

function Make({ mint, onMade }: { mint: Mint | undefined; onMade: (id: string) => void }) {
  const [name, setName] = useState(newRuneName);
  const [total, setTotal] = useState('12');
  const [perBlock, setPerBlock] = useState('4');
  const [tokens, setTokens] = useState('250');
  const [least, setLeast] = useState('1000');
  const [days, setDays] = useState('30');
  const [doing, setDoing] = useState('');
  const etched = useRef<{ name: string; supply: string; runeId: string } | undefined>(undefined);
  const [requests, inBlock, runes, minimum, open] = [
    readAmount(total, REQUESTS), readAmount(perBlock, REQUESTS), readAmount(tokens, RUNES), readAmount(least, SATS), readAmount(days, DAYS),
  ];
  const isReady = [requests, inBlock, runes, minimum, open].every(isAmount);
  const make = useCall(async () => {
    const supply = String(amountOrThrow(runes).units * amountOrThrow(requests).units);
    // If the service refused the mint, its rune is already in the pool. The next attempt uses it.
    let rune = etched.current?.name === name && etched.current.supply === supply ? etched.current : undefined;
    if (!rune) {
      setDoing('Etching the rune to the pool');
      const pool = await poolAddress(mint);
      const free = etched.current?.name === name ? newRuneName() : name;
      const { runeId } = await levers.etch(free, supply, 0, pool);
      rune = { name: free, supply, runeId };
      etched.current = rune;
      setName(free);
      setDoing('Funding the pool');
      for (let coin = 0; coin < POOL_COINS; coin += 1) await levers.fund(pool, 100_000);
      // A mint accepts a rune only after its etching has seven confirmations.
      await mineBlocks(6);
    }
    const { runeId } = rune;
    setDoing('Creating the mint');
    const { now } = await levers.clock(0);
    const { data } = await call(api, 'post', '/api/vm-transactions/mints', {
      body: {
        runeId, proceedsAddress: strangerAddress(), tokensPerRequest: amountOrThrow(runes).decimal,
        totalRequests: Number(amountOrThrow(requests).units), requestsPerBlock: Number(amountOrThrow(inBlock).units),
        minSatsPerRequest: Number(amountOrThrow(minimum).units), closesAt: now + Number(amountOrThrow(open).units) * DAY,
      },
    });
    turn.value += 1;
    setName(newRuneName());
    onMade(data.id);
    return data;
  }, { done: ({ runeName }) => `The mint of ${runeName} is open.` });
  const fields = make.error?.fields ?? {};
  return (
    <>
      <Form onSubmit={() => void make.run()} failure={make.error} label="A new mint">
        <Field label="Name of the rune" value={name} onInput={setName} mono hint="The page etches it to the pool and mines the seven blocks that this needs." />
        <AmountField label="Total requests" name="totalRequests" span={3} rule={REQUESTS} value={total} onInput={setTotal} error={fields.totalRequests} />
        <AmountField label="Per virtual block" name="requestsPerBlock" span={3} rule={REQUESTS} value={perBlock} onInput={setPerBlock} error={fields.requestsPerBlock} />
        <AmountField label="Runes per request" name="tokensPerRequest" span={3} rule={RUNES} value={tokens} onInput={setTokens} error={fields.tokensPerRequest} />
        <AmountField label="Minimum sats" name="minSatsPerRequest" span={3} rule={SATS} value={least} onInput={setLeast} error={fields.minSatsPerRequest} />
        <AmountField label="Days open" name="closesAt" span={3} rule={DAYS} value={days} onInput={setDays} error={fields.closesAt} />
        <div class="row">
          <Button type="submit" kind="primary" icon="plus" class="button-says" busy={make.busy} disabled={!isReady}>
            {isAmount(requests) && isAmount(runes) && isAmount(minimum)
              ? `Etch and open the mint: ${requests.said} of ${runes.said} each, at least ${minimum.said} a request`
              : 'Etch and open the mint'}
          </Button>
          {make.busy && <span class="small muted" role="status">{doing}…</span>}
        </div>
      </Form>
      {make.error && <ErrorState failure={make.error} />}
    </>
  );
}

function Close({ mint }: { mint: Mint }) {
  const close = useCall(async () => {
    await call(api, 'post', '/api/vm-transactions/mints/{id}/close', { params: { path: { id: mint.id } } });
    turn.value += 1;
  }, { done: 'The mint is closed. This is final seven blocks later.' });
  const closed = useCall(() => mineBlocks(8), { done: 'Eight blocks were mined.' });
  return (
    <>
      <div class="row">
        {!mint.closed && (
          <Button
            kind="danger" busy={close.busy}
            onClick={() => void isSure({
              title: `Close the mint of ${mint.runeName}?`, yes: 'Close the mint',
              text: 'It cannot be opened again. Later blocks take no more requests, and bidders get a refund for those that were not taken.',
            }).then((sure) => { if (sure) void close.run(); })}
          >Close {mint.runeName} now</Button>
        )}
        {mint.closed && mint.state === 'open' && (
          <Button icon="block" busy={closed.busy} onClick={() => void closed.run()}>Mine the blocks that make it final</Button>
        )}
      </div>
      {!mint.closed
        ? <p class="small muted">After you close the mint, later blocks take no more requests. The result is final seven blocks later; until then, the mint shows as open. It has {count(mint.totalRequests)} requests in total.</p>
        : <p class="small muted">{mint.state === 'open' ? 'This mint is closed. This is final seven blocks later.' : 'This mint has already ended.'}</p>}
      {(close.error ?? closed.error) && <ErrorState failure={(close.error ?? closed.error)!} />}
    </>
  );
}

/** The functions of an admin: open a mint and close one. */
export function Admin({ mint, onMade }: { mint: Mint | undefined; onMade: (id: string) => void }) {
  const me = account.value;
  const become = useCall(async () => {
    if (!me) throw new Error('You are not signed in.');
    await levers.role(me.id, 'admin');
    await loadAccount();
  }, { done: 'You are an admin here.' });
  if (!me) return null;
  const isAdmin = me.role === 'admin';
  return (
    <Section
      title="Administration"
      description="Admins open mints, and can close them early."
      actions={isAdmin ? <Pill tone="accent">you are an admin</Pill> : undefined}
    >
      {!isAdmin && (
        <EmptyState
          title="You are not an admin"
          action={<Button busy={become.busy} onClick={() => void become.run()}>Make me an admin here</Button>}
        >
          The API cannot make you an admin. In the local world, a lever can.
        </EmptyState>
      )}
      {become.error && <ErrorState failure={become.error} />}
      {isAdmin && (
        <>
          {mint && <Close mint={mint} key={mint.id} />}
          <More title="Open a mint of a new rune" open={mint === undefined || mint.closed || mint.requestsInBlocksCount >= mint.totalRequests}>
            <Make mint={mint} onMade={onMade} />
          </More>
          {mint && <Callout tone="plain">A rune has one mint at a time. Before the mint opens, the pool must hold the runes of all its requests: {plural(mint.totalRequests, 'request')} here.</Callout>}
        </>
      )}
    </Section>
  );
}
