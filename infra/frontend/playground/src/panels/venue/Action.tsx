import { type SignedVenueAction, type VenueMetaData, type VenueRequest, type VenueWallet } from '@runeport/client/venue';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { concat, domainSeparator, hashStruct, hashTypedData } from 'viem';

import { Button, Callout, ErrorState, Facts, JsonView, More, type Step, Steps, useCall, Value } from '../../components/index.ts';
import { type DemoWallet, evmAccountOfWallet } from '../../stores/wallets.ts';
import { VenueWarnings } from './Warnings.tsx';

/** What a wallet is given to sign (EIP-712). */
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

/** The three hashes of EIP-712: of where it counts, of what is said, and of both, which is signed. */
function hashesOf(typed: TypedData) {
  const domain = domainSeparator({ domain: typed.domain });
  const message = hashStruct({ data: typed.message, primaryType: typed.primaryType, types: typed.types });
  return { domain, message, bytes: concat(['0x1901', domain, message]), digest: hashTypedData(typed) };
}

/** What the wallet is asked to sign, as a wallet shows it. */
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
          <Facts of={[['Keccak-256 of them', <Value text={digest} whole label="Copy the hash that is signed" />]]} />
          <JsonView value={{ domain: typed.domain, types: typed.types, primaryType: typed.primaryType, message: typed.message }} label="Typed data" />
        </div>
      </More>
    </div>
  );
}

interface ActionProps {
  wallet: DemoWallet;
  label: string;
  /** The request and its fields. */
  ask: (wallet: VenueWallet) => Promise<SignedVenueAction | { body: null; metaData: VenueMetaData }>;
  form: (run: () => void, busy: boolean, fields: Record<string, string>) => ComponentChildren;
  /** What the venue would do with it; here a lever does. */
  post: { title: string; run: (body: VenueRequest) => Promise<void> };
  nothing: string;
}

/** An action of the venue: made by the service, read and signed by the wallet, posted to the venue. */
export function Action({ wallet, label, ask, form, post, nothing }: ActionProps) {
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const [done, setDone] = useState<Done | undefined>(undefined);
  const posted = useCall(post.run, { done: 'The venue has accepted it.' });
  const turn = useRef(0);
  const run = useCall(async () => {
    const account = evmAccountOfWallet(wallet);
    if (!account) throw new Error('The actions are signed with a key of this tab.');
    posted.reset();
    setDone(undefined);
    turn.current += 1;
    let seen: TypedData | undefined;
    // As in a wallet: the request is shown, and signed once the user agrees.
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
    { title: 'Ask', state: asked || done ? 'done' : 'now', body: form(() => void run.run(), run.busy && !asked, run.error?.fields ?? {}) },
    {
      title: 'Read and sign',
      state: asked ? 'now' : done ? 'done' : 'later',
      body: asked ? (
        <>
          <p class="small muted">Your wallet will ask for this signature. By itself it moves nothing.</p>
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
              <p class="small muted">This is the whole body that <code>POST https://api.hyperliquid.xyz/exchange</code> takes. This page sends nothing there.</p>
              <JsonView value={signed} label="Body for the venue" />
              <div class="row">
                <Button busy={posted.busy} onClick={() => void posted.run(signed)}>{post.title}</Button>
              </div>
              {posted.state === 'ok' && <Callout tone="ok">The venue’s stand-in has it now. The service asks the venue again every five seconds.</Callout>}
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
