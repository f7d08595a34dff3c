import { checkSigned, submitHubWithdrawal } from '@runeport/client/bitcoin';
import { submit as submitOwn, type TransactionStatus } from '@runeport/client/wallet';
import { useEffect } from 'preact/hooks';

import {
  Button, Callout, CodeBlock, ErrorState, More, PsbtView, StatusPill, type Step, useCall, Value, Warnings,
} from '../../components/index.ts';
import { plural, timeLeft, when } from '../../lib/format.ts';
import { changes } from '../../stores/live.ts';
import { levers } from '../../stores/local.ts';
import { api } from '../../stores/session.ts';
import { bitcoinSignerOf, bitcoinWalletWithKey } from '../../stores/wallets.ts';
import { discard as end, isOver, keepSigned, note, type UnderWay, underWay } from './model.ts';

/** The keys of the trading wallet. */
export interface Keys {
  readonly address: string;
  readonly publicKey: string;
}

const submitTo = ({ route }: UnderWay, signed: string): Promise<TransactionStatus> =>
  (route === 'hub' ? submitHubWithdrawal(api, signed) : submitOwn(api, signed));

function Discard({ at }: { at: UnderWay }) {
  const discard = useCall(() => end(at), { done: 'The transaction has ended. Its coins are free again.' });
  return (
    <>
      <Button kind="quiet" busy={discard.busy} onClick={() => void discard.run()}>Discard</Button>
      {discard.error && <ErrorState failure={discard.error} />}
    </>
  );
}

function Read({ keys, at }: { keys: Keys; at: UnderWay }) {
  const signer = bitcoinWalletWithKey(keys.publicKey);
  const { transaction, notes, psbt } = at.prepared;
  const sign = useCall(async () => {
    if (!signer) throw new Error('This tab does not have the key of the trading wallet.');
    const signed = await bitcoinSignerOf(signer).signPsbt(transaction.base64Psbt, transaction.userInputIndexes);
    checkSigned(signed, transaction.txId, transaction.userInputIndexes);
    keepSigned(transaction.txId, signed);
    underWay.value = { ...at, signed };
  }, { done: 'Signed. Nothing has been sent yet.' });
  return (
    <>
      <PsbtView
        psbt={psbt} own={[keys.address]} userInputIndexes={transaction.userInputIndexes} feeRate={transaction.fee.feeRate}
        names={at.names}
      />
      <Warnings list={notes.warnings} />
      {notes.left > 0 && <Callout tone="plain">{plural(notes.left, 'further coin')} did not fit. Repeat this after the next block.</Callout>}
      <Callout tone="ok">
        The client has checked the transaction: it spends only coins of your trading wallet, it pays what you asked for, the
        rest returns to you, and the fee is the announced one. Sign it before {when(transaction.expiresAt)}: {timeLeft(transaction.expiresAt)}.
      </Callout>
      <div class="row">
        <Button kind="primary" busy={sign.busy} disabled={!signer} onClick={() => void sign.run()}>
          Sign {plural(transaction.userInputIndexes.length, 'input')}
        </Button>
        <Discard at={at} />
      </div>
      {!signer && <Callout tone="warn">This tab does not have the key of the trading wallet. Paste the key in Start, or sign in with the password of a keystore that contains it.</Callout>}
      {sign.error && <ErrorState failure={sign.error} />}
      <More title="The raw PSBT">
        <CodeBlock text={transaction.base64Psbt} label="PSBT" />
      </More>
    </>
  );
}

function Submit({ at, signed }: { at: UnderWay; signed: string }) {
  const submit = useCall(async () => {
    note(at, await submitTo(at, signed));
  }, { done: 'Submitted. The platform has signed too.' });
  return (
    <>
      <p class="small muted">
        The PSBT contains your signatures. The service checks the transaction again, adds the platform’s signatures and
        broadcasts it. If the service refuses it, nothing is broadcast and the coins are released immediately.
      </p>
      <div class="row">
        <Button kind="primary" busy={submit.busy} onClick={() => void submit.run()}>Submit</Button>
        <Discard at={at} />
      </div>
      {submit.error && <ErrorState failure={submit.error} />}
    </>
  );
}

function Follow({ at, signed, status }: { at: UnderWay; signed: string; status: NonNullable<UnderWay['status']> }) {
  const look = useCall(async () => {
    note(at, await submitTo(at, signed));
  });
  const mine = useCall(() => levers.mine(1), { done: 'A block was mined.' });
  const turn = changes('transaction.stateChanged', 'xchain.statusChanged');
  const { run } = look;
  useEffect(() => {
    if (!isOver.peek()) void run();
  }, [turn, run]);
  const leave = () => { underWay.value = undefined; };
  return (
    <>
      <div class="row">
        <StatusPill status={status.state} />
        <Value text={status.txId} ends={10} label="Copy transaction id" />
      </div>
      {isOver.value ? (
        <div class="row">
          <Button onClick={leave}>Withdraw again</Button>
        </div>
      ) : (
        <div class="row">
          <Button kind="primary" icon="block" busy={mine.busy} onClick={() => void mine.run()}>Mine a block</Button>
          <Button busy={look.busy} onClick={() => void look.run()}>Check again</Button>
          <Button kind="quiet" onClick={leave}>Leave it in the mempool</Button>
        </div>
      )}
      {(look.error ?? mine.error) && <ErrorState failure={(look.error ?? mine.error)!} />}
    </>
  );
}

/** The steps of a transaction from its draft on. */
export function stepsOf(at: UnderWay | undefined, keys: Keys): Step[] {
  const state = (done: boolean, now: boolean): Step['state'] => (done ? 'done' : now ? 'now' : 'later');
  const { signed, status } = at ?? {};
  const failed = status !== undefined && ['failed', 'expired', 'replaced'].includes(status.state);
  return [
    {
      title: 'Read and sign', state: state(signed !== undefined, at !== undefined),
      body: at !== undefined && signed === undefined ? <Read keys={keys} at={at} /> : undefined,
    },
    {
      title: 'Submit', state: state(status !== undefined, signed !== undefined),
      body: at !== undefined && signed !== undefined && status === undefined ? <Submit at={at} signed={signed} /> : undefined,
    },
    {
      title: 'Wait for a block',
      state: failed ? 'failed' : state(status?.state === 'confirmed', status !== undefined),
      body: at !== undefined && signed !== undefined && status !== undefined ? <Follow at={at} signed={signed} status={status} /> : undefined,
    },
  ];
}
