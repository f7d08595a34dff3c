import {
  calculateRefund, checkRefund, checkSigned, createRefund, describePsbt, type PsbtDescription, type RefundRequest, submitRefund, type UnsignedTransaction,
} from '@runeport/client/bitcoin';
import { call } from '@runeport/client';
import { release } from '@runeport/client/wallet';

import { Button, Callout, EmptyState, ErrorState, Facts, Loaded, PsbtView, Section, StatusPill, type Step, Steps, useCall, useLoad, Value } from '../../components/index.ts';
import { plural, sats, short, timeLeft, when } from '../../lib/format.ts';
import { changes } from '../../stores/live.ts';
import { keptFlow } from '../../stores/flows.ts';
import { account, api } from '../../stores/session.ts';
import { mineBlocks, mintChanges, turn } from './chain.ts';
import type { Mint } from './model.ts';
import { tradingSigner } from './Take.tsx';

interface UnderWay {
  runeId: string;
  mintId: string;
  runeName: string;
  request: RefundRequest;
  created: UnsignedTransaction;
  psbt: PsbtDescription;
  signed?: string;
  sent?: { txId: string; state: string };
}
/** The text of a PSBT contains its description. */
type Kept = Omit<UnderWay, 'psbt'>;

async function discard(at: UnderWay): Promise<void> {
  await release(api, at.created.txId);
  underWay.value = undefined;
  turn.value += 1;
}

const underWay = keptFlow<UnderWay>('refund', {
  idOf: ({ created }) => created.txId,
  pack: ({ psbt: _, ...kept }) => kept satisfies Kept,
  unpack: (kept) => {
    const at = kept as Kept;
    return { ...at, psbt: describePsbt(at.created.base64Psbt, 'regtest') };
  },
  offer: (at) => (at.sent ? undefined : {
    what: `A refund of ${sats(at.request.refundableSats)} from ${at.runeName}`,
    panel: 'mint', params: { id: at.mintId, section: 'refund' }, discard: () => discard(at),
    ...(at.signed === undefined ? { state: 'waits to be submitted', until: at.created.expiresAt } : { state: 'is signed, but not submitted' }),
  }),
});

function Begin({ mint, address, userAddress }: { mint: Mint; address: string; userAddress: string }) {
  const calculation = useLoad(() => calculateRefund(api, { userAddress, runeIds: [mint.runeId] }), [mint.runeId, userAddress, mintChanges()]);
  const create = useCall(async (refundableSats: number) => {
    const request: RefundRequest = { userAddress, runeIds: [mint.runeId], refundableSats };
    const created = await createRefund(api, request);
    const { data: key } = await call(api, 'get', '/api/account/trading-wallet');
    underWay.value = { runeId: mint.runeId, mintId: mint.id, runeName: mint.runeName, request, created, psbt: checkRefund(created, request, address, key) };
  }, { done: 'The refund was created. Read it before you sign.' });
  return (
    <Loaded call={calculation}>
      {({ items, totalSats, networkFee, refundableSats }) => totalSats === 0 ? (
        <EmptyState title="Nothing to refund">
          {mint.state === 'open'
            ? 'Once the mint has ended, you can get a refund for requests that no virtual block took.'
            : 'All your requests were taken or already refunded. If the mint has just ended, mine seven blocks first.'}
        </EmptyState>
      ) : (
        <>
          <Facts
            of={[
              ['Paid but not taken', sats(totalSats)],
              ['Network fee', sats(networkFee)],
              ['You get', <strong class="num">{sats(refundableSats)}</strong>],
              ['Batches', plural(items.reduce((sum, { txIds }) => sum + txIds.length, 0), 'batch', 'batches')],
            ]}
          />
          {refundableSats === 0 && <Callout tone="warn">The network fee is higher than the refund.</Callout>}
          <div class="row">
            <Button kind="primary" busy={create.busy} disabled={refundableSats === 0} class="button-says" onClick={() => void create.run(refundableSats)}>
              {`Create the refund: ${refundableSats} sats to ${short(address)}`}
            </Button>
          </div>
          {create.error && <ErrorState failure={create.error} />}
        </>
      )}
    </Loaded>
  );
}

function Read({ at, mint, address }: { at: UnderWay; mint: Mint; address: string }) {
  const { base64Psbt, txId, userInputIndexes, fee, expiresAt } = at.created;
  const send = useCall(async () => {
    let psbt = userInputIndexes.length === 0 ? base64Psbt : at.signed;
    if (psbt === undefined) {
      psbt = await (await tradingSigner()).signPsbt(base64Psbt, userInputIndexes);
      checkSigned(psbt, txId, userInputIndexes);
      underWay.value = { ...at, signed: psbt };
    }
    const sent = await submitRefund(api, at.request.userAddress, psbt);
    underWay.value = { ...at, signed: psbt, sent };
    turn.value += 1;
    return sent;
  }, { done: ({ state }) => `The refund was submitted: ${state}.` });
  const end = useCall(() => discard(at), { done: 'The refund has ended. You can calculate it again.' });
  return (
    <>
      <p class="small muted">
        The refund spends the outputs that paid for your requests
        {userInputIndexes.length > 0 ? ', and one of your coins, which returns to you in full. You sign for this coin.' : '. None of these is your own coin, so you have nothing to sign.'}
        {' '}Submit it before {when(expiresAt)}: {timeLeft(expiresAt)}.
      </p>
      <PsbtView psbt={at.psbt} own={[address]} userInputIndexes={userInputIndexes} feeRate={fee.feeRate} names={{ [mint.treasuryAddress]: 'treasury' }} />
      <div class="row">
        <Button kind="primary" icon="key" busy={send.busy} onClick={() => void send.run()}>
          {userInputIndexes.length > 0 && at.signed === undefined ? 'Sign and submit the refund' : 'Submit the refund'}
        </Button>
        <Button kind="quiet" busy={end.busy} onClick={() => void end.run()}>Discard</Button>
      </div>
      {(send.error ?? end.error) && <ErrorState failure={(send.error ?? end.error)!} />}
    </>
  );
}

function Sent({ at }: { at: UnderWay }) {
  const mine = useCall(() => mineBlocks(7), { done: 'Seven blocks were mined.' });
  const { txId } = at.created;
  const now = useLoad(
    async () => (await call(api, 'get', '/api/refund/{txId}', { params: { path: { txId } } })).data,
    [txId, changes('refund.stateChanged')],
  );
  return (
    <>
      <Facts of={[['Refund', <Value text={at.created.txId} ends={10} />], ['State', <StatusPill status={now.data?.state ?? at.sent?.state ?? ''} />], ['To your trading address', sats(at.request.refundableSats)]]} />
      <div class="row">
        <Button icon="block" busy={mine.busy} onClick={() => void mine.run()}>Mine the seven blocks that make it final</Button>
        <Button kind="quiet" onClick={() => { underWay.value = undefined; }}>Calculate again</Button>
      </div>
      {(mine.error ?? now.error) && <ErrorState failure={(mine.error ?? now.error)!} />}
    </>
  );
}

/** Refunds requests that were not taken, to the trading address. */
export function Refund({ mint }: { mint: Mint }) {
  const me = account.value;
  const address = me?.tradingAddress ?? undefined;
  if (!me || address === undefined) return null;
  const at = underWay.value?.runeId === mint.runeId ? underWay.value : undefined;
  const steps: Step[] = [
    { title: 'Calculate', state: at ? 'done' : 'now', body: !at && <Begin mint={mint} address={address} userAddress={me.addresses[0]?.address ?? address} /> },
    { title: 'Read, sign and submit', state: !at ? 'later' : at.sent ? 'done' : 'now', body: at && !at.sent && <Read at={at} mint={mint} address={address} /> },
    { title: 'Wait for a block', state: at?.sent ? 'now' : 'later', body: at?.sent && <Sent at={at} /> },
  ];
  return (
    <Section anchor="refund" title="Refund" description="You get back your payment for requests that no virtual block took, minus the network fee.">
      <Steps label="A refund" steps={steps} />
    </Section>
  );
}
