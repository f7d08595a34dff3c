import { call, RuneportError } from '@runeport/client';
import { useRef, useState } from 'preact/hooks';

import { Button, Callout, EmptyState, ErrorState, Field, Form, More, Pill, Section, useCall } from '../../components/index.ts';
import { count, plural } from '../../lib/format.ts';
import { levers, newRuneName } from '../../stores/local.ts';
import { account, api, loadAccount } from '../../stores/session.ts';
import { strangerAddress } from '../../stores/wallets.ts';
import { mineBlocks, turn } from './chain.ts';
import type { Mint } from './model.ts';

const DAY = 86_400_000;
/** Coins that the pool sends the runes with. */
const POOL_COINS = 4;

/** Where the runes of a mint have to be. Any mint says it; where there is none, a refusal does. */
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
    const [pool] = error instanceof RuneportError ? (/bcrt1q[0-9a-z]+/.exec(error.details ?? '') ?? []) : [];
    if (pool !== undefined) return pool;
    throw error;
  }
  throw new Error('The pool holds a rune that was just etched to the faucet.');
}

function Make({ mint, onMade }: { mint: Mint | undefined; onMade: (id: string) => void }) {
  const [name, setName] = useState(newRuneName);
  const [total, setTotal] = useState('12');
  const [perBlock, setPerBlock] = useState('4');
  const [tokens, setTokens] = useState('250');
  const [least, setLeast] = useState('1000');
  const [days, setDays] = useState('30');
  const [doing, setDoing] = useState('');
  const etched = useRef<{ name: string; supply: string; runeId: string } | undefined>(undefined);
  const numbers = [total, perBlock, tokens, least, days].every((text) => /^[1-9]\d*$/.test(text));
  const make = useCall(async () => {
    const supply = (BigInt(tokens) * BigInt(total)).toString();
    // A mint that is refused leaves its rune in the pool: the next try takes that.
    let rune = etched.current?.name === name && etched.current.supply === supply ? etched.current : undefined;
    if (!rune) {
      setDoing('Etching the rune to the pool');
      const pool = await poolAddress(mint);
      const free = etched.current?.name === name ? newRuneName() : name;
      const { runeId } = await levers.etch(free, supply, 0, pool);
      rune = { name: free, supply, runeId };
      etched.current = rune;
      setName(free);
      setDoing('Giving the pool coins to send runes with');
      for (let coin = 0; coin < POOL_COINS; coin += 1) await levers.fund(pool, 100_000);
      // A mint takes a rune once its etching is seven blocks deep.
      await mineBlocks(6);
    }
    const { runeId } = rune;
    setDoing('Creating the mint');
    const { now } = await levers.clock(0);
    const { data } = await call(api, 'post', '/api/vm-transactions/mints', {
      body: {
        runeId, proceedsAddress: strangerAddress(), tokensPerRequest: tokens, totalRequests: Number(total),
        requestsPerBlock: Number(perBlock), minSatsPerRequest: Number(least), closesAt: now + Number(days) * DAY,
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
        <Field label="Name of the rune" value={name} onInput={setName} mono hint="It is etched to the pool, which takes seven blocks: the lever mines them." />
        <Field label="Requests in all" name="totalRequests" span={3} inputMode="numeric" value={total} onInput={setTotal} error={fields.totalRequests} />
        <Field label="In a virtual block" name="requestsPerBlock" span={3} inputMode="numeric" value={perBlock} onInput={setPerBlock} error={fields.requestsPerBlock} />
        <Field label="Runes for each" name="tokensPerRequest" span={3} inputMode="numeric" value={tokens} onInput={setTokens} error={fields.tokensPerRequest} />
        <Field label="Least sats" name="minSatsPerRequest" span={3} inputMode="numeric" value={least} onInput={setLeast} error={fields.minSatsPerRequest} />
        <Field label="Open for days" name="closesAt" span={3} inputMode="numeric" value={days} onInput={setDays} error={fields.closesAt} />
        <div class="row">
          <Button type="submit" kind="primary" icon="plus" busy={make.busy} disabled={!numbers}>Etch and open the mint</Button>
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
          <Button kind="danger" busy={close.busy} onClick={() => void close.run()}>Close {mint.runeName} now</Button>
        )}
        {mint.closed && mint.state === 'open' && (
          <Button icon="block" busy={closed.busy} onClick={() => void closed.run()}>Mine the blocks that make it final</Button>
        )}
      </div>
      {!mint.closed
        ? <p class="small muted">The newest block is the last one that its requests can be in. Whether all {count(mint.totalRequests)} were taken is final seven blocks later; until then it shows as open.</p>
        : <p class="small muted">{mint.state === 'open' ? 'This mint is closed. This is final seven blocks later.' : 'This mint is already over.'}</p>}
      {(close.error ?? closed.error) && <ErrorState failure={(close.error ?? closed.error)!} />}
    </>
  );
}

/** What an admin does: make a mint, close one. */
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
      title="As an admin"
      description="Admins open mints and close them before their time."
      actions={isAdmin ? <Pill tone="accent">you are an admin</Pill> : undefined}
    >
      {!isAdmin && (
        <EmptyState
          title="You are no admin"
          action={<Button busy={become.busy} onClick={() => void become.run()}>Make me an admin here</Button>}
        >
          The API cannot make you an admin. On this machine a lever can.
        </EmptyState>
      )}
      {become.error && <ErrorState failure={become.error} />}
      {isAdmin && (
        <>
          {mint && <Close mint={mint} key={mint.id} />}
          <More title="Open a mint of a new rune" open={mint === undefined || mint.closed || mint.requestsInBlocksCount >= mint.totalRequests}>
            <Make mint={mint} onMade={onMade} />
          </More>
          {mint && <Callout tone="plain">A rune has one mint at a time, and the pool has to hold {plural(mint.totalRequests, 'request')} worth of it before.</Callout>}
        </>
      )}
    </Section>
  );
}
