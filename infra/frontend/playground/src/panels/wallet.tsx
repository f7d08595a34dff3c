import { call, makeTradingWallet, type Schemas } from '@runeport/client';
import {
  checkSigned, checkWithdrawal, type CreatedWithdrawal, createWithdrawal, type PsbtDescription, submitWithdrawal,
  type TransactionStatus, type Withdrawal,
} from '@runeport/client/bitcoin';
import { computed, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

import {
  Button, Callout, CodeBlock, EmptyState, ErrorState, Facts, Field, Figures, Form, Loaded, More, Pill, PsbtView, Section, Select,
  StatusPill, type Step, Steps, Table, useCall, useLoad, Value, WalletPicker, Warnings,
} from '../components/index.ts';
import { serviceNow } from '../lib/clock.ts';
import { btc, count, plural, short, toUnits, units, when } from '../lib/format.ts';
import { chainTurn, type Coin, type Holdings, holdingsOf, levers, newRuneName, type RuneBalance } from '../stores/local.ts';
import { account, api } from '../stores/session.ts';
import { bitcoinSignerOf, bitcoinWalletWithKey, signerOf, strangerAddress, walletFor } from '../stores/wallets.ts';
import type { Panel } from './panel.ts';

type Backup = Schemas['TradingWalletBackup'];

const BTC = '0:0';

/** The current withdrawal, which is kept while the user visits another panel. */
interface UnderWay {
  params: Withdrawal;
  created: CreatedWithdrawal;
  psbt: PsbtDescription;
  signed?: string;
  status?: TransactionStatus;
}
const underWay = signal<UnderWay | undefined>(undefined);
/** Until when coins are reserved for an abandoned transaction. */
const heldUntil = signal<number | undefined>(undefined);
/** Payments that are not in a block yet. */
const unmined = signal(0);

/** Stores the status, unless the user has left this withdrawal. */
function note(at: UnderWay, status: TransactionStatus): void {
  if (underWay.peek()?.psbt.txId === at.psbt.txId) underWay.value = { ...at, status };
}

function leave(): void {
  heldUntil.value = underWay.peek()?.created.transaction.expiresAt;
  underWay.value = undefined;
}
const isOver = computed(() => ['confirmed', 'failed', 'expired', 'replaced'].includes(underWay.value?.status?.state ?? ''));

function Make() {
  const make = useCall(async () => {
    account.value = await makeTradingWallet(api, signerOf(walletFor('bitcoin')));
  }, { done: 'The trading wallet was created.' });
  return (
    <Section
      title="This account has no trading wallet yet"
      description="It is created once, from the key of a Bitcoin wallet, and its keys never change."
    >
      <WalletPicker chain="bitcoin" />
      <div class="row">
        <Button kind="primary" busy={make.busy} onClick={() => void make.run()}>Create the trading wallet</Button>
      </div>
      {make.error && <ErrorState failure={make.error} />}
    </Section>
  );
}

function Faucet({ address }: { address: string }) {
  const [sats, setSats] = useState('100000');
  const fund = useCall(async () => {
    await levers.fund(address, Number(sats));
    unmined.value += 1;
  }, { done: 'Paid. The payment waits for a block.' });
  const mine = useCall(async () => {
    await levers.mine(1);
    unmined.value = 0;
  }, { done: 'A block was mined.' });
  const etch = useCall(() => levers.etch(newRuneName(), '1000000', 2, address), { done: 'A rune was etched.' });
  const inscribe = useCall(() => levers.inscribe(address, 'text/plain;charset=utf-8', 'A keepsake of the playground'), { done: 'An inscription was created.' });
  const failed = [fund, mine, etch, inscribe].find(({ error }) => error)?.error;
  return (
    <>
      <Form onSubmit={() => void fund.run()} label="Faucet">
        <Field label="Sats from the faucet" span={4} value={sats} onInput={setSats} inputMode="numeric" />
        <div class="row" data-span="8" style={{ alignSelf: 'end', minHeight: '36px' }}>
          <Button type="submit" busy={fund.busy} disabled={!/^[1-9]\d{2,}$/.test(sats)}>Pay</Button>
          <Button icon="block" busy={mine.busy} onClick={() => void mine.run()}>Mine a block</Button>
        </div>
      </Form>
      <div class="row">
        <Button size="small" busy={etch.busy} onClick={() => void etch.run()}>Etch a rune to this address</Button>
        <Button size="small" busy={inscribe.busy} onClick={() => void inscribe.run()}>Create an inscription</Button>
      </div>
      {unmined.value > 0 && <Callout>{plural(unmined.value, 'payment')} not in a block yet. Mine a block to see the coins here.</Callout>}
      {failed && <ErrorState failure={failed} />}
    </>
  );
}

function Coins({ holdings }: { holdings: Holdings }) {
  if (holdings.coins.length === 0) {
    return <EmptyState title="No coins yet">Get sats from the faucet, then mine a block.</EmptyState>;
  }
  return (
    <Table<Coin>
      caption="Coins"
      rows={holdings.coins}
      rowKey={({ outpoint }) => outpoint}
      columns={[
        {
          title: 'Outpoint', nowrap: true, cell: ({ outpoint }) => {
            const [txid = '', vout = ''] = outpoint.split(':');
            return <code title={outpoint}>{short(txid, 8)}:{vout}</code>;
          },
        },
        {
          title: 'Contents', cell: ({ runes, inscriptions }) => (
            <span class="row">
              {runes.map((rune) => <Pill key={rune.runeId} tone="accent" dot={false}>{units(rune.amount, rune.divisibility)} {rune.name}</Pill>)}
              {inscriptions.map((id) => <Pill key={id} tone="info" dot={false}>inscription</Pill>)}
              {runes.length + inscriptions.length === 0 && <span class="muted">sats only</span>}
            </span>
          ),
        },
        { title: 'Confirmations', align: 'end', cell: ({ confirmations }) => count(confirmations) },
        { title: 'Sats', align: 'end', cell: ({ sats }) => count(sats) },
      ]}
    />
  );
}

function Balances({ address, holdings }: { address: string; holdings: Holdings | undefined }) {
  return (
    <>
      <Figures
        of={[
          ['Bitcoin', holdings === undefined ? '–' : btc(holdings.sats)],
          ['Runes', holdings === undefined ? '–' : count(holdings.runes.length), holdings?.runes.length === 1 ? 'kind' : 'kinds'],
          ['Inscriptions', holdings === undefined ? '–' : count(holdings.inscriptions.length)],
        ]}
      />
      <Facts of={[['Trading address', <Value text={address} ends={16} label="Copy trading address" />]]} />
    </>
  );
}

function Create({ holdings, wallet }: { holdings: Holdings; wallet: Backup }) {
  const [tokenId, setTokenId] = useState(BTC);
  const rune: RuneBalance | undefined = holdings.runes.find(({ runeId }) => runeId === tokenId);
  const divisibility = tokenId === BTC ? 8 : (rune?.divisibility ?? 0);
  const [amount, setAmount] = useState('0.0005');
  const own = bitcoinWalletWithKey(wallet.publicKey)?.address ?? '';
  const [withdrawTo, setWithdrawTo] = useState(own);
  const [xchainData, setXchainData] = useState('0x00');
  const smallest = toUnits(amount, divisibility);
  const create = useCall(async () => {
    if (smallest === undefined) throw new Error(`The amount can have at most ${divisibility} decimals.`);
    const params: Withdrawal = { tokenId, amount: smallest.toString(), withdrawTo: withdrawTo.trim(), xchainData };
    const created = await createWithdrawal(api, params);
    underWay.value = { params, created, psbt: checkWithdrawal(created.transaction, params, wallet, { tradingAddress: wallet.address }) };
  }, { done: 'The transaction was created. Read it before you sign.' });
  const fields = create.error?.fields ?? {};
  return (
    <>
      <Form onSubmit={() => void create.run()} failure={create.error} label="Withdrawal">
        <Select
          label="Token" name="tokenId" span={6} value={tokenId}
          options={[
            { value: BTC, label: `BTC · ${btc(holdings.sats)}` },
            ...holdings.runes.map((held) => ({
              value: held.runeId, label: `${held.name} · ${units(held.amount, held.divisibility)}`,
            })),
          ]}
          onChange={(next) => { setTokenId(next); setAmount(next === BTC ? '0.0005' : '1'); }}
          error={fields['params.tokenId'] ?? fields.tokenId}
        />
        <Field
          label="Amount" name="amount" span={6} inputMode="decimal" value={amount} onInput={setAmount}
          hint={smallest === undefined ? `At most ${divisibility} decimals` : `Sent as ${smallest} in the smallest unit`}
          error={fields['params.amount'] ?? fields.amount}
        />
        <Field
          label="To" name="withdrawTo" mono value={withdrawTo} onInput={setWithdrawTo}
          hint="Default: the address of your own key. Any regtest address works."
          error={fields['params.withdrawTo'] ?? fields.withdrawTo}
        />
        <More title="Data of a cross-chain swap">
          <Field
            label="xchainData" name="xchainData" mono value={xchainData} onInput={setXchainData}
            hint="Hex. An OP_RETURN contains its SHA-256 hash; the hub receives the full data."
            error={fields['params.xchainData'] ?? fields.xchainData}
          />
        </More>
        <div class="row">
          <Button type="submit" kind="primary" busy={create.busy} disabled={withdrawTo.trim() === ''}>Create the transaction</Button>
          <Button kind="quiet" onClick={() => setWithdrawTo(strangerAddress())}>To a new address</Button>
        </div>
      </Form>
      {create.error && <ErrorState failure={create.error} />}
      {heldUntil.value !== undefined && heldUntil.value > serviceNow() && (
        <Callout tone="plain">The coins of the discarded transaction stay reserved until {when(heldUntil.value)}.</Callout>
      )}
    </>
  );
}

function Read({ wallet, at }: { wallet: Backup; at: UnderWay }) {
  const signer = bitcoinWalletWithKey(wallet.publicKey);
  const { transaction, notes } = at.created;
  const sign = useCall(async () => {
    if (!signer) throw new Error('This tab does not have the key of the trading wallet.');
    const signed = await bitcoinSignerOf(signer).signPsbt(transaction.base64Psbt, transaction.userInputIndexes);
    checkSigned(signed, transaction.txId, transaction.userInputIndexes);
    underWay.value = { ...at, signed };
  }, { done: 'Signed. Nothing has been sent yet.' });
  return (
    <>
      <PsbtView
        psbt={at.psbt} own={[wallet.address]} userInputIndexes={transaction.userInputIndexes} feeRate={transaction.fee.feeRate}
        names={{ [at.params.withdrawTo.toLowerCase()]: 'recipient' }}
      />
      <Warnings list={notes.warnings} />
      <Callout tone="ok">
        The client has checked the transaction: it spends only coins of your trading wallet, the recipient gets the requested
        amount, the rest returns to you, and the fee is the announced one. Sign it before {when(transaction.expiresAt)}.
      </Callout>
      <div class="row">
        <Button kind="primary" busy={sign.busy} disabled={!signer} onClick={() => void sign.run()}>
          Sign {plural(transaction.userInputIndexes.length, 'input')}
        </Button>
        <Button kind="quiet" onClick={leave}>Discard</Button>
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
    note(at, await submitWithdrawal(api, signed));
  }, { done: 'Submitted. The platform has signed too.' });
  return (
    <>
      <p class="small muted">
        The PSBT contains your signatures. The service checks the transaction again, adds the platform’s signatures and
        broadcasts it. If the service refuses it, nothing is broadcast and the coins are released immediately.
      </p>
      <div class="row">
        <Button kind="primary" busy={submit.busy} onClick={() => void submit.run()}>Submit</Button>
        <Button kind="quiet" onClick={leave}>Discard</Button>
      </div>
      {submit.error && <ErrorState failure={submit.error} />}
    </>
  );
}

function Follow({ at, signed, status }: { at: UnderWay; signed: string; status: TransactionStatus }) {
  const look = useCall(async () => {
    note(at, await submitWithdrawal(api, signed));
  });
  const mine = useCall(() => levers.mine(1), { done: 'A block was mined.' });
  const turn = chainTurn.value;
  const { run } = look;
  useEffect(() => {
    if (isOver.peek()) return undefined;
    void run();
    // If another client mined the block, the service processes it a little later, so check again.
    const timer = setTimeout(() => {
      if (!isOver.peek()) void run();
    }, 4000);
    return () => clearTimeout(timer);
  }, [turn, run]);
  return (
    <>
      <div class="row">
        <StatusPill status={status.state} />
        <Value text={status.txId} ends={10} label="Copy transaction id" />
      </div>
      {isOver.value ? (
        <div class="row">
          <Button onClick={() => { underWay.value = undefined; }}>Withdraw again</Button>
        </div>
      ) : (
        <div class="row">
          <Button kind="primary" icon="block" busy={mine.busy} onClick={() => void mine.run()}>Mine a block</Button>
          <Button busy={look.busy} onClick={() => void look.run()}>Check again</Button>
        </div>
      )}
      {(look.error ?? mine.error) && <ErrorState failure={(look.error ?? mine.error)!} />}
    </>
  );
}

function Withdraw({ holdings, wallet }: { holdings: Holdings; wallet: Backup }) {
  const at = underWay.value;
  const state = (done: boolean, now: boolean): Step['state'] => (done ? 'done' : now ? 'now' : 'later');
  const { signed, status } = at ?? {};
  const failed = status !== undefined && ['failed', 'expired', 'replaced'].includes(status.state);
  const steps: Step[] = [
    {
      title: 'Choose amount and recipient', state: state(at !== undefined, true),
      body: at === undefined ? <Create holdings={holdings} wallet={wallet} /> : undefined,
    },
    {
      title: 'Read and sign', state: state(signed !== undefined, at !== undefined),
      body: at !== undefined && signed === undefined ? <Read wallet={wallet} at={at} /> : undefined,
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
  return (
    <Section title="Withdraw" description="The service builds the transaction, you read and sign it, and the platform signs and broadcasts it.">
      <Steps steps={steps} label="Withdrawal" />
    </Section>
  );
}

function Script({ wallet }: { wallet: Backup }) {
  const { recovery } = wallet;
  return (
    <Section
      title="Keys of the wallet"
      description={`Your signature and the platform’s together move a coin. Once a coin has ${count(wallet.delayBlocks)} confirmations, your signature alone is enough. The descriptor is not secret; keep it together with your key.`}
    >
      <CodeBlock text={wallet.descriptor} label="Descriptor" />
      <Facts
        of={[
          ['Your key', <Value text={wallet.publicKey} ends={12} label="Copy your public key" />],
          ['The platform’s key', <Value text={wallet.platformPublicKey} ends={12} label="Copy public key of the platform" />],
          ['Created', when(wallet.createdAt)],
        ]}
      />
      <More title="How to spend without the platform">
        <div class="stack-s">
          <ol class="small" style={{ paddingInlineStart: '20px', display: 'grid', gap: '4px' }}>
            {recovery.steps.map((step) => <li key={step}>{step}</li>)}
          </ol>
          {recovery.keys.map((key) => (
            <div key={key.publicKey} class="stack-s">
              <CodeBlock text={key.commands.join('\n')} label={`Commands for the key ${key.publicKey}`} />
              <Facts of={[['Descriptor to complete', <code>{key.descriptorToComplete}</code>]]} />
            </div>
          ))}
          <Facts
            of={[
              ['Witness script', <code>{recovery.witnessScript}</code>],
              ['nSequence', recovery.sequence],
              ['Version', recovery.transactionVersion],
            ]}
          />
        </div>
      </More>
    </Section>
  );
}

function Trading({ address }: { address: string }) {
  const wallet = useLoad(async () => (await call(api, 'get', '/api/account/trading-wallet')).data, [address]);
  const holdings = useLoad(() => holdingsOf(address, { quiet: true }), [address, chainTurn.value]);
  return (
    <>
      <Section title="Holdings" description="As of the last block, according to ord in the local world.">
        <Balances address={address} holdings={holdings.data} />
        <Faucet address={address} />
        <Loaded call={holdings}>{(held) => <Coins holdings={held} />}</Loaded>
      </Section>
      {wallet.data && holdings.data && <Withdraw holdings={holdings.data} wallet={wallet.data} />}
      <Loaded call={wallet}>{(backup) => <Script wallet={backup} />}</Loaded>
    </>
  );
}

function TradingWallet() {
  const address = account.value?.tradingAddress;
  if (!account.value) return null;
  return address === null || address === undefined ? <Make /> : <Trading key={address} address={address} />;
}

export const panel: Panel = {
  id: 'wallet',
  title: 'Trading wallet',
  summary: 'A Bitcoin address whose coins need two signatures to move: yours and the platform’s. Withdrawals never lose runes or inscriptions.',
  icon: 'wallet',
  group: 'Bitcoin',
  order: 0,
  needsAccount: true,
  component: TradingWallet,
};
