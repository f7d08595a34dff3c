// A frontend with React and TanStack Query: sign in with a wallet of the browser, read the balance, withdraw, and follow what
// happens. An event invalidates the queries whose answers it makes out of date.

import { createApi, formatUnits, parseUnits, type SignedIn, signInWithWallet, signOut, webStorageDeviceStore } from '@runeport/client';
import { watch } from '@runeport/client/events';
import { invalidateFor, queryKey, queryOptions } from '@runeport/client/query';
import { type DiscoveredWallet, discoverWallets } from '@runeport/client/wallets';
import type { BitcoinWallet } from '@runeport/client/wallets/bitcoin';
import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

import { paymentsOf } from '../payments.js';

const api = createApi({ baseUrl: 'http://127.0.0.1:9000', device: webStorageDeviceStore(localStorage) });
const btc = (sats: number | bigint): string => `${formatUnits(BigInt(sats), 8)} BTC`;

function Problem({ error }: { error: unknown }) {
  if (error === null) return null;
  return <p role="alert">{error instanceof Error ? error.message : String(error)}</p>;
}

/** The wallets that the user has installed. Extensions may announce them late. */
function useWallets(): readonly DiscoveredWallet<'bitcoin'>[] {
  const [found, setFound] = useState<readonly DiscoveredWallet<'bitcoin'>[]>([]);
  useEffect(() => {
    const search = new AbortController();
    setFound([]);
    void (async () => {
      for await (const wallet of discoverWallets({ chains: ['bitcoin'], signal: search.signal })) setFound((before) => [...before, wallet]);
    })();
    return () => search.abort();
  }, []);
  return found;
}

interface Session {
  readonly user: SignedIn;
  readonly wallet: BitcoinWallet;
}

function SignIn({ onSession }: { onSession: (session: Session) => void }) {
  const wallets = useWallets();
  const signIn = useMutation({
    mutationFn: async ({ connect }: DiscoveredWallet<'bitcoin'>) => {
      const wallet = await connect();
      const otpCode = () => prompt('The code of your authenticator app') ?? '';
      return { user: await signInWithWallet(api, wallet, { otpCode }), wallet };
    },
    onSuccess: onSession,
  });
  return (
    <section aria-label="Sign in">
      {wallets.map((wallet, index) => (
        <button key={index} disabled={signIn.isPending} onClick={() => signIn.mutate(wallet)}>Sign in with {wallet.name}</button>
      ))}
      <Problem error={signIn.error} />
    </section>
  );
}

function Balance({ account }: { account: string }) {
  const { data, error } = useQuery(queryOptions(api, '/api/account/trading-wallet/balance', { account }));
  if (data === undefined) return <Problem error={error} />;
  const { btc: { available, incoming }, runes } = data.data;
  const held = (runes ?? []).map(({ name, confirmed, divisibility }) => `${formatUnits(BigInt(confirmed), divisibility ?? 0)} ${name}`);
  const coming = incoming.external + incoming.own;
  return <output>{[btc(available), ...(coming > 0 ? [`${btc(coming)} on its way`] : []), ...held].join(', ')}</output>;
}

function Transactions({ account }: { account: string }) {
  const { data, error } = useQuery(queryOptions(api, '/api/transactions', { account, params: { query: { pageSize: 10 } } }));
  return (
    <>
      <ol aria-label="Transactions">
        {data?.data.map(({ txId, state, amount }) => <li key={txId}>{amount ?? ''} {state}: {txId}</li>)}
      </ol>
      <Problem error={error} />
    </>
  );
}

function Withdraw({ user, wallet }: Session) {
  const queries = useQueryClient();
  const payment = useMutation({
    mutationFn: async (form: FormData) => {
      const [sats, withdrawTo] = [parseUnits(String(form.get('amount')), 8), String(form.get('to'))];
      await paymentsOf(api, user.account.id).pay(wallet, { tokenId: '0:0', amount: String(sats), withdrawTo }, ({ fee }) =>
        confirm(`Pay ${btc(sats)} to ${withdrawTo}, and ${btc(fee)} to the network?`));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey(api, user.account.id) }),
  });
  return (
    <form onSubmit={(event) => {
      event.preventDefault();
      payment.mutate(new FormData(event.currentTarget));
    }}>
      <label>BTC <input name="amount" inputMode="decimal" required /></label>
      <label>to <input name="to" required /></label>
      <button disabled={payment.isPending}>Withdraw</button>
      <Problem error={payment.error} />
    </form>
  );
}

function Account({ session, onSignOut }: { session: Session; onSignOut: () => void }) {
  const { user: { account: { id: account }, tradingAddress } } = session;
  const queries = useQueryClient();
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => {
    const stop = new AbortController();
    paymentsOf(api, account).submitKept().catch(setProblem);
    void (async () => {
      for await (const event of watch(api, { signal: stop.signal })) await queries.invalidateQueries(invalidateFor(api, event, { account }));
    })().catch((error: unknown) => { if (!stop.signal.aborted) setProblem(error); });
    return () => stop.abort();
  }, [queries, account]);
  const leave = async () => {
    await signOut(api);
    queries.removeQueries({ queryKey: queryKey(api, account) });
    onSignOut();
  };
  return (
    <section aria-label="Account">
      <p>Pay to <code>{tradingAddress}</code>: <Balance account={account} /></p>
      <Withdraw {...session} />
      <Transactions account={account} />
      <Problem error={problem} />
      <button onClick={() => void leave().catch(setProblem)}>Sign out</button>
    </section>
  );
}

function App() {
  const [session, setSession] = useState<Session>();
  return session ? <Account session={session} onSignOut={() => setSession(undefined)} /> : <SignIn onSession={setSession} />;
}

const root = document.getElementById('app');
if (root) createRoot(root).render(<QueryClientProvider client={new QueryClient()}><App /></QueryClientProvider>);
