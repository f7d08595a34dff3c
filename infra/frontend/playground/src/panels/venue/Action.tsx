import { type SignedVenueAction, type VenueMetaData, type VenueRequest, type VenueWallet } from '@runeport/client/venue';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { concat, domainSeparator, hashStruct, hashTypedData } from 'viem';

import { Button, Callout, ErrorState, Facts, JsonView, More, type Step, Steps, useCall, Value } from '../../components/index.ts';
import { evmAccountOfWallet } from '../../stores/evm-accounts.ts';
import type { DemoWallet } from '../../stores/wallets.ts';
import { VenueWarnings } from './Warnings.tsx';

/** The data that the wallet signs (EIP-712). */
interface TypedData {
  domain: { name: string; version: string; chainId: number; verifyingContract: `0x${string}` };
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
}

interface Asked {
  typed: TypedData;
  sign: () => void;
  refuse: () => void;
}

interface Done {
  body: VenueRequest | null;
  metaData: VenueMetaData;
  typed?: TypedData;
}

/** The hashes of EIP-712: domain, message, and the digest of both, which the wallet signs. */
function hashesOf(typed: TypedData) {
  const domain = domainSeparator({ domain: typed.domain });
  const message = hashStruct({ data: typed.message, primaryType: typed.primaryType, types: typed.types });
  return { domain, message, bytes: concat(['0x1901', domain, message]), digest: hashTypedData(typed) };
}

/** The data to sign, as a wallet would show it. */
function Typed({ typed }: { typed: TypedData }) {
  const { domain, message, bytes, digest } = hashesOf(typed);
  return (
    <div class="typed">
      <Facts
        of={[
          ['Domain', `${typed.domain.name} ${typed.domain.version}, chain ${typed.domain.chainId}`],
          ['Type', <code>{typed.primaryType}</code>],
          ...Object.entries(typed.message).map(([name, value]) =>
            [name, <code>{String(value) === '' ? '(empty)' : String(value)}</code>] as const),
        ]}
      />
      <More title="The bytes that are signed">
        <div class="stack">
          <div class="calldata">
            <div class="calldata-row" data-part="selector"><code>0x1901</code><span>EIP-191, version of EIP-712</span></div>
            <div class="calldata-row"><code>{domain.slice(2)}</code><span><strong>domainSeparator</strong></span></div>
            <div class="calldata-row"><code>{message.slice(2)}</code><span><strong>hashStruct</strong> of the message</span></div>
            <div class="row small muted">All {(bytes.length - 2) / 2} bytes <Value text={bytes} ends={12} label="Copy the bytes that are signed" /></div>
          </div>
          <Facts of={[['Their Keccak-256 hash', <Value text={digest} whole label="Copy the hash that is signed" />]]} />
          <JsonView value={{ domain: typed.domain, types: typed.types, primaryType: typed.primaryType, message: typed.message }} label="Typed data" />
        </div>
      </More>
    </div>
  );
}

interface ActionProps {
  wallet: DemoWallet;
  label: string;
  /** Requests the action and signs it with the given wallet. */
  ask: (wallet: VenueWallet) => Promise<SignedVenueAction | { body: null; metaData: VenueMetaData }>;
  form: (run: () => void, busy: boolean, fields: Record<string, string>) => ComponentChildren;
  /** Simulates the venue's reaction to the signed action with a lever. */
  post: { title: string; run: (body: VenueRequest) => Promise<void> };
  nothing: string;
}

/** The steps of a venue action: the service creates it, the user reads and signs it, the page posts it. */
export function Action({ wallet, label, ask, form, post, nothing }: ActionProps) {
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const [done, setDone] = useState<Done | undefined>(undefined);
  const posted = useCall(post.run, { done: 'The stand-in has received it.' });
  const turn = useRef(0);
  const run = useCall(async () => {
    const account = evmAccountOfWallet(wallet);
    if (!account) throw new Error('Only a key of this tab can sign here. Choose one in Start.');
    posted.reset();
    setDone(undefined);
    turn.current += 1;
    let seen: TypedData | undefined;
    // Like a wallet: show the request first, and sign it only if the user agrees.
    const careful = {
      ...account,
      signTypedData: (typed: TypedData) =>
        new Promise<`0x${string}`>((resolve, reject) => {
          seen = typed;
          setAsked({
            typed,
            sign: () => resolve(account.signTypedData(typed)),
            refuse: () => reject(Object.assign(new Error('You did not sign.'), { name: 'AbortError' })),
          });
        }),
    };
    try {
      setDone({ ...(await ask(careful)), typed: seen });
    } finally {
      setAsked(undefined);
    }
  }, { done: 'Signed.' });
  const signed = done?.body ?? undefined;
  const steps: Step[] = [
    { title: 'Request', state: asked || done ? 'done' : 'now', body: form(() => void run.run(), run.busy && !asked, run.error?.fields ?? {}) },
    {
      title: 'Read and sign',
      state: asked ? 'now' : done ? 'done' : 'later',
      body: asked ? (
        <>
          <p class="small muted">Your wallet will ask you for this signature. The signature alone moves nothing.</p>
          <Typed typed={asked.typed} />
          <div class="row">
            <Button kind="primary" icon="key" onClick={asked.sign}>Sign {label}</Button>
            <Button kind="quiet" onClick={asked.refuse}>Do not sign</Button>
          </div>
        </>
      ) : done?.typed && <More title="What was signed"><Typed typed={done.typed} /></More>,
    },
    {
      title: 'Post it to the venue',
      state: signed ? (posted.state === 'ok' ? 'done' : 'now') : 'later',
      body: done && (
        <>
          <VenueWarnings metaData={done.metaData} />
          {signed === undefined ? <Callout>{nothing}</Callout> : (
            <>
              <p class="small muted">This is the complete body for <code>POST https://api.hyperliquid.xyz/exchange</code>. This page does not send it there.</p>
              <JsonView value={signed} label="Body for the venue" />
              <div class="row">
                <Button busy={posted.busy} onClick={() => void posted.run(signed)}>{post.title}</Button>
              </div>
              {posted.state === 'ok' && <Callout tone="ok">The venue’s stand-in has received it. The service caches the venue’s answers for five seconds.</Callout>}
              {posted.error && <ErrorState failure={posted.error} />}
            </>
          )}
        </>
      ),
    },
  ];
  return (
    <>
      <Steps label={label} steps={steps} />
      {run.error && <ErrorState failure={run.error} />}
    </>
  );
}
