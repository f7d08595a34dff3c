import {
  checkMintRequest, checkSigned, createMintRequest, describePsbt, type MintRequest, previewMintRequest, type PsbtDescription, submitMintRequest,
  type UnsignedTransaction,
} from '@runeport/client/bitcoin';
import { call } from '@runeport/client';
import { release } from '@runeport/client/wallet';
import { useState } from 'preact/hooks';

import { NeedsAccount } from '../../app/NeedsAccount.tsx';
import {
  AmountField, Button, Callout, CodeBlock, ErrorState, Facts, Field, Form, More, PsbtView, Section, StatusPill, type Step, Steps, TryFirst, useCall, useLoad, Value,
} from '../../components/index.ts';
import { type Amount, type AmountRule, amountOrThrow, isAmount, readAmount, SATS } from '../../lib/amount.ts';
import { btc, count, plural, sats, short, timeLeft, when } from '../../lib/format.ts';
import { keptFlow } from '../../stores/flows.ts';
import { chainTurn, holdingsOf, levers } from '../../stores/local.ts';
import { account, api, signedIn } from '../../stores/session.ts';
import { bitcoinSignerOf, bitcoinWalletWithKey } from '../../stores/wallets.ts';
import { lookAtBids, mineBlocks, mintChanges, nextBlock, OUTLOOK_KEPT } from './chain.ts';
import { keepSigned } from '../wallet/model.ts';
import { replaces } from './crowd.ts';
import type { Batch, Mint } from './model.ts';

/** The current batch. */
interface UnderWay {
  mintId: string;
  runeName: string;
  request: MintRequest;
  created: UnsignedTransaction;
  psbt: PsbtDescription;
  replaces?: Batch;
  signed?: string;
  sent?: { txId: string; state: string };
}
/** The text of a PSBT contains its description. */
type Kept = Omit<UnderWay, 'psbt'>;

async function discard(at: UnderWay): Promise<void> {
  await release(api, at.created.txId);
  underWay.value = undefined;
}

const underWay = keptFlow<UnderWay>('batch', {
  idOf: ({ created }) => created.txId,
  pack: ({ psbt: _, ...kept }) => kept satisfies Kept,
  unpack: (kept) => {
    const at = kept as Kept;
    return { ...at, psbt: describePsbt(at.created.base64Psbt, 'regtest') };
  },
  offer: (at) => (at.sent ? undefined : {
    what: `A batch of ${plural(at.request.requestCount, 'request')} for ${at.runeName}`,
    panel: 'mint', params: { id: at.mintId, section: 'take-part' }, discard: () => discard(at),
    ...(at.signed === undefined ? { state: 'waits for your signature', until: at.created.expiresAt } : { state: 'is signed, but not submitted' }),
  }),
});

function Discard({ at, title }: { at: UnderWay; title: string }) {
  const end = useCall(() => discard(at), { done: 'The batch has ended. Its coins are free again.' });
  return (
    <>
      <Button kind="quiet" busy={end.busy} onClick={() => void end.run()}>{title}</Button>
      {end.error && <ErrorState failure={end.error} />}
    </>
  );
}

/** The signer of the trading wallet, if this tab has its key. */
export async function tradingSigner() {
  const { data } = await call(api, 'get', '/api/account/trading-wallet');
  const wallet = bitcoinWalletWithKey(data.publicKey);
  if (!wallet) throw new Error('This tab does not have the key of the trading wallet.');
  return bitcoinSignerOf(wallet);
}

const REQUESTS: AmountRule = { decimals: 0, unit: 'request', units: 'requests', most: 999_999n };

function Ask({ mint, address, before }: { mint: Mint; address: string; before: Batch | undefined }) {
  const [requestCount, setRequestCount] = useState('3');
  const [chosen, setPrice] = useState<string | undefined>();
  const wanted = readAmount(requestCount, REQUESTS);
  const asked = isAmount(wanted) ? Number(wanted.units) : undefined;
  const enter = useLoad(async () => (asked === undefined ? undefined : (await nextBlock(mint, asked)).priceToEnter), [mint.id, asked, mintChanges()], { again: () => OUTLOOK_KEPT });
  // Until the user chooses a price, the one that the next block takes.
  const price = chosen ?? String(enter.data ?? mint.minSatsPerRequest);
  const holdings = useLoad(() => holdingsOf(address, { quiet: true }), [address, chainTurn.value, mintChanges()]);
  const top = useCall(async () => {
    await levers.fund(address, 250_000);
    await mineBlocks(1);
  }, { done: 'The trading wallet has more coins.' });
  const each = readAmount(price, SATS);
  const total = isAmount(wanted) && isAmount(each) ? readAmount(String(wanted.units * each.units), SATS) : undefined;
  const satsPreviousRequests = before ? before.satsNewRequests + before.satsPreviousRequests : 0;
  const requested = (): MintRequest => {
    if (total === undefined) throw new Error('Enter how many requests, and the sats for each.');
    const userAddress = account.value?.addresses[0]?.address ?? address;
    return {
      userAddress, runeId: mint.runeId, requestCount: Number(amountOrThrow(wanted).units), satsNewRequests: Number(amountOrThrow(total).units),
    };
  };
  const create = useCall(async () => {
    const request = requested();
    const created = await createMintRequest(api, request);
    const { data: key } = await call(api, 'get', '/api/account/trading-wallet');
    const terms = { treasuryAddress: mint.treasuryAddress, satsPreviousRequests };
    // The user has seen the price of the previous batch, so the new one may pay for it again.
    const psbt = checkMintRequest(created, request, terms, key, { tradingAddress: address, mostPreviousSats: satsPreviousRequests });
    underWay.value = { mintId: mint.id, runeName: mint.runeName, request, created, psbt, replaces: before };
  }, { done: 'The transaction was created. Read it before you sign.' });
  const fields = create.error?.fields ?? {};
  const action = before ? 'Create the replacement' : 'Create the batch';
  return (
    <>
      {before && (
        <Callout>
          Your batch of {plural(before.requestsInMempoolCount, 'request')} is not in a Bitcoin block yet. A new batch replaces it and
          pays for both: your earlier requests keep their price, and your new requests get the new price.
        </Callout>
      )}
      <Form onSubmit={() => void create.run()} failure={create.error} label="Batch of requests">
        <AmountField
          label="Requests" name="requestCount" span={4} value={requestCount} onInput={setRequestCount} rule={REQUESTS}
          hint={({ units }) => `${count(units * BigInt(mint.tokensPerRequest))} of the rune`}
          error={fields.requestCount}
        />
        <AmountField
          label="Sats per request" name="price" span={4} value={price} onInput={setPrice} rule={SATS}
          hint={`At least ${count(mint.minSatsPerRequest)}; ${hintOf(enter.data)}`}
        />
        <Field
          label="Total" name="satsNewRequests" span={4} value={total && isAmount(total) ? count(total.units) : ''} onInput={() => undefined} readOnly
          hint={holdings.data === undefined ? 'sats' : `You have ${btc(holdings.data.sats)}`}
          error={total && !isAmount(total) ? total.problem : fields.satsNewRequests}
        />
        <div class="row">
          <Button type="submit" kind="primary" class="button-says" busy={create.busy} disabled={!total || !isAmount(total)}>
            {total && isAmount(total) ? `${action}: pay ${paysInAll(total, satsPreviousRequests)} to the treasury ${short(mint.treasuryAddress)}` : action}
          </Button>
          <Button kind="quiet" busy={top.busy} onClick={() => void top.run()}>Get 0.0025 BTC and mine a block</Button>
        </div>
      </Form>
      {(create.error ?? top.error ?? enter.error) && <ErrorState failure={(create.error ?? top.error ?? enter.error)!} />}
      <TryFirst
        what={JSON.stringify([mint.id, requestCount, price, satsPreviousRequests])} ready={total !== undefined && isAmount(total)}
        preview={async () => previewMintRequest(api, requested())}
      />
    </>
  );
}

/** What the transaction pays: the new requests, and those of the batch that it replaces. */
function paysInAll(total: Amount, satsPreviousRequests: number): string {
  return satsPreviousRequests === 0 ? total.said : `${total.units + BigInt(satsPreviousRequests)} sats, ${total.said} of them for the new requests,`;
}

function hintOf(enter: number | null | undefined): string {
  if (enter === null) return 'the next block has no room for so many';
  return enter === undefined ? 'the price to enter the next block follows' : `${count(enter)} enters the next block`;
}

function Read({ at, mint, address }: { at: UnderWay; mint: Mint; address: string }) {
  const sign = useCall(async () => {
    const signer = await tradingSigner();
    const signed = await signer.signPsbt(at.created.base64Psbt, at.created.userInputIndexes);
    checkSigned(signed, at.created.txId, at.created.userInputIndexes);
    keepSigned(at.created.txId, signed);
    underWay.value = { ...at, signed };
  }, { done: 'Signed. Nothing has been sent yet.' });
  const { userInputIndexes, fee, expiresAt } = at.created;
  return (
    <>
      <p class="small muted">
        The page has checked the transaction: it pays exactly the price of your requests to the mint’s treasury, and the rest
        returns to you. Sign it before {when(expiresAt)}: {timeLeft(expiresAt)}.
      </p>
      <PsbtView
        psbt={at.psbt} own={[address]} userInputIndexes={userInputIndexes} feeRate={fee.feeRate}
        names={{ [mint.treasuryAddress]: 'treasury' }}
      />
      {at.signed === undefined && (
        <div class="row">
          <Button kind="primary" icon="key" busy={sign.busy} onClick={() => void sign.run()}>Sign {plural(userInputIndexes.length, 'input')}</Button>
          <Discard at={at} title="Do not sign" />
        </div>
      )}
      {sign.error && <ErrorState failure={sign.error} />}
    </>
  );
}

function Submit({ at }: { at: UnderWay }) {
  const submit = useCall(async () => {
    if (at.signed === undefined) throw new Error('Nothing is signed yet.');
    const sent = await submitMintRequest(api, at.request.userAddress, at.signed);
    underWay.value = { ...at, sent };
    await lookAtBids();
    chainTurn.value += 1;
    return sent;
  }, { done: ({ state }) => `The batch is submitted: ${state}.` });
  return (
    <>
      <p class="small muted">The transaction contains your signature. The service adds its own and sends it to the Bitcoin network.</p>
      <More title="The signed PSBT"><CodeBlock label="Signed PSBT" text={at.signed ?? ''} /></More>
      <div class="row">
        <Button kind="primary" busy={submit.busy} onClick={() => void submit.run()}>Submit</Button>
        <Discard at={at} title="Discard" />
      </div>
      {submit.error && <ErrorState failure={submit.error} />}
    </>
  );
}

function Sent({ at, now }: { at: UnderWay; now: Batch | undefined }) {
  const mine = useCall(() => mineBlocks(1), { done: 'A block was mined.' });
  return (
    <>
      <Facts
        of={[
          ['Batch', <Value text={at.created.txId} ends={10} label="Copy transaction id" />],
          ['State', <StatusPill status={now?.state ?? at.sent?.state ?? 'unsigned'} />],
          ['Requests', now ? `${count(now.requestsInMempoolCount)} waiting, ${count(now.requestsInBlocksCount)} in virtual blocks` : undefined],
          ['Paid', sats(at.request.satsNewRequests)],
          ['Replaces', at.replaces && <Value text={at.replaces.txId} ends={8} />],
        ]}
      />
      <div class="row">
        <Button icon="block" kind="primary" busy={mine.busy} onClick={() => void mine.run()}>Mine a block</Button>
        <Button onClick={() => { underWay.value = undefined; }}>Create another batch</Button>
      </div>
      {mine.error && <ErrorState failure={mine.error} />}
    </>
  );
}

/** The steps of a batch of requests: create, read, sign, submit. */
export function Take({ mint, batches, open }: { mint: Mint; batches: readonly Batch[]; open: boolean }) {
  const address = account.value?.tradingAddress ?? undefined;
  const at = underWay.value?.mintId === mint.id ? underWay.value : undefined;
  if (!signedIn.value) {
    return <Section anchor="take-part" title="Take part"><NeedsAccount title="A batch is paid from your trading wallet, which" /></Section>;
  }
  if (address === undefined) {
    return (
      <Section anchor="take-part" title="Take part">
        <Callout tone="warn">This account has no trading wallet. <a href="#/wallet">Create it</a>, then come back.</Callout>
      </Section>
    );
  }
  const before = replaces(batches, mint, address);
  const steps: Step[] = [
    {
      title: 'Choose amount and price',
      state: at ? 'done' : 'now',
      body: at
        ? <p class="small">{plural(at.request.requestCount, 'request')} at {sats(at.request.satsNewRequests / at.request.requestCount)} each{at.replaces ? ', added to the batch that it replaces' : ''}.</p>
        : <Ask key={`${mint.id}:${before?.txId}`} mint={mint} address={address} before={before} />,
    },
    { title: 'Read and sign', state: !at ? 'later' : at.signed === undefined ? 'now' : 'done', body: at && !at.sent && <Read at={at} mint={mint} address={address} /> },
    { title: 'Submit', state: !at?.signed ? 'later' : at.sent ? 'done' : 'now', body: at?.signed !== undefined && !at.sent && <Submit at={at} /> },
    { title: 'Wait for virtual blocks', state: at?.sent ? 'now' : 'later', body: at?.sent && <Sent at={at} now={batches.find(({ txId }) => txId === at.created.txId)} /> },
  ];
  return (
    <Section
      anchor="take-part"
      title="Take part"
      description="You choose a price and pay for your requests in advance, in one Bitcoin transaction: a batch. Until a block confirms it, a new batch can replace it."
    >
      {open || at ? <Steps label="A batch of requests" steps={steps} /> : <Callout>This mint no longer accepts requests. An admin can open another one below.</Callout>}
    </Section>
  );
}
