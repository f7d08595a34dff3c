import { formatUnits, parseUnits } from '@runeport/client';
import { createDeposit, type DepositHashes, sendDeposit, type VenueDeposit, venueEvmChain, type VenueMetaData } from '@runeport/client/venue';
import { useState } from 'preact/hooks';
import { createPublicClient, createWalletClient, decodeEventLog, parseAbi, type TransactionReceipt } from 'viem';

import {
  AmountField, Button, Callout, ErrorState, Facts, Form, Pill, Section, type Step, Steps, Table, useCall, Value,
} from '../../components/index.ts';
import { amountOrThrow, isAmount, readAmount } from '../../lib/amount.ts';
import { count, short } from '../../lib/format.ts';
import { inOneTab, keptFlow } from '../../stores/flows.ts';
import { api } from '../../stores/session.ts';
import { evmAccountOfWallet } from '../../stores/evm-accounts.ts';
import type { DemoWallet } from '../../stores/wallets.ts';
import { Calldata } from './Calldata.tsx';
import { lookAgain, rpcTransport, USDC } from './store.ts';
import { VenueWarnings } from './Warnings.tsx';

interface UnderWay {
  /** The same in all tabs. */
  id: string;
  wallet: string;
  deposit: VenueDeposit;
  metaData: VenueMetaData;
  /** The hashes of transactions that are already sent. If sending stops, these are not sent again. */
  sent?: DepositHashes;
  receipts?: readonly { name: string; receipt: TransactionReceipt }[];
}
/** The local chain simulates the Testnet's chain, with its contracts. */
const CHAIN = 998;
const underWay = keptFlow<UnderWay>('deposit', {
  idOf: ({ id }) => id,
  offer: ({ deposit: { amount }, sent, receipts }) => (receipts ? undefined : {
    what: `A deposit of ${amount} USDC to the venue`,
    panel: 'venue', params: { section: 'deposit' },
    ...(sent ? { state: 'is not complete yet' } : { state: 'waits for your signature', discard: async () => { underWay.value = undefined; } }),
  }),
});

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  'event Approval(address indexed owner, address indexed spender, uint256 amount)',
  'event NewCoreAccountFeeApplied(address indexed coreRecipient, uint64 newCoreAccountFee, uint256 evmDepositAmount, uint64 coreSentAmount)',
  'event SendAsset(address indexed coreRecipient, uint64 coreAmount)',
]);

type Log = TransactionReceipt['logs'][number];

/** Amounts of the venue's ledger have eight decimals, those of the chain six. */
const DECIMALS: Record<string, number> = { amount: 6, evmDepositAmount: 6, newCoreAccountFee: 8, coreSentAmount: 8, coreAmount: 8 };

function eventOf(log: Log): { name: string; says: string } {
  try {
    const { eventName, args } = decodeEventLog({ abi, data: log.data, topics: log.topics });
    const says = Object.entries(args).map(([name, value]) =>
      typeof value === 'bigint' ? `${name} ${formatUnits(value, DECIMALS[name] ?? 0)}` : `${name} ${short(String(value), 5)}`);
    return { name: eventName, says: says.join(', ') };
  } catch {
    return { name: 'another event', says: short(log.data, 10) };
  }
}

function Ask({ wallet }: { wallet: DemoWallet }) {
  const [amount, setAmount] = useState('10.5');
  const read = readAmount(amount, USDC);
  const ask = useCall(async () => {
    const { decimal } = amountOrThrow(read);
    const { deposit, metaData } = await createDeposit(api, { userAddress: wallet.address, amount: decimal }, { chainId: CHAIN });
    underWay.value = { id: crypto.randomUUID(), wallet: wallet.address, deposit, metaData };
  }, { done: 'The two transactions were created. Read them before you sign.' });
  return (
    <>
      <Form onSubmit={() => void ask.run()} failure={ask.error} label="Deposit">
        <AmountField label="USDC to deposit" name="amount" span={4} value={amount} onInput={setAmount} rule={USDC} error={ask.error?.fields.amount} hint="At most 6 decimals" />
        <div class="row">
          <Button type="submit" kind="primary" class="button-says" busy={ask.busy} disabled={!isAmount(read)}>
            {isAmount(read) ? `Create the deposit: ${read.said} to the venue’s account of ${short(wallet.address)}` : 'Create the deposit'}
          </Button>
        </div>
      </Form>
      {ask.error && <ErrorState failure={ask.error} />}
    </>
  );
}

function Read({ at, wallet }: { at: UnderWay; wallet: DemoWallet }) {
  const { deposit } = at;
  const account = evmAccountOfWallet(wallet);
  const send = useCall(() => inOneTab(at.id, async () => {
    if (!account) throw new Error('A browser wallet cannot use the local chain of the venue. Use a key of this tab.');
    const chain = venueEvmChain(deposit);
    const transport = rpcTransport(deposit.rpcUrl);
    const { approvalHash, receipt } = await sendDeposit(
      createWalletClient({ account, chain, transport }), deposit,
      { pollingInterval: 150, chainId: CHAIN, resume: at.sent, onSent: (sent) => { underWay.value = { ...at, sent }; } },
    );
    const approval = await createPublicClient({ chain, transport }).getTransactionReceipt({ hash: approvalHash });
    underWay.value = { ...at, receipts: [{ name: 'Approval', receipt: approval }, { name: 'Deposit', receipt }] };
    await lookAgain();
  }), { done: 'Both transactions are mined.' });
  const [approval, transfer] = deposit.txs;
  const units = count(parseUnits(deposit.amount, USDC.decimals));
  return (
    <>
      <p class="small muted">
        The page has checked every byte: the two transactions approve and deposit exactly {deposit.amount} USDC. The approval is
        sent first, then the deposit.
      </p>
      {approval && (
        <div class="stack-s">
          <h4 class="venue-h">1 · Approval <Pill dot={false}>to USDC {short(approval.to, 5)}</Pill></h4>
          <Calldata
            data={approval.data} signature="approve(address,uint256)"
            words={[
              { name: 'spender', says: 'the deposit contract' },
              { name: 'value', says: `${units}: exactly ${deposit.amount} USDC` },
            ]}
          />
        </div>
      )}
      {transfer && (
        <div class="stack-s">
          <h4 class="venue-h">2 · Deposit <Pill dot={false}>to the contract {short(transfer.to, 5)}</Pill></h4>
          <Calldata
            data={transfer.data} signature="deposit(uint256,uint32)"
            words={[
              { name: 'amount', says: `${units}: the approved amount` },
              { name: 'destinationDex', says: '0: perpetuals' },
            ]}
          />
        </div>
      )}
      <Facts of={[['From', <Value text={deposit.from} ends={8} />], ['Chain id', approval?.chainId], ['Broadcast to', <code>{deposit.rpcUrl}</code>]]} />
      <VenueWarnings metaData={at.metaData} />
      {at.sent && !send.busy && <Callout tone="warn">The approval {short(at.sent.approvalHash, 6)} was sent{at.sent.depositHash ? `, and the deposit ${short(at.sent.depositHash, 6)} too` : ', the deposit was not'}. What was sent is not sent again.</Callout>}
      <div class="row">
        <Button kind="primary" icon="key" busy={send.busy} onClick={() => void send.run()}>{at.sent ? 'Go on with the deposit' : 'Sign and broadcast both'}</Button>
        {!at.sent && <Button kind="quiet" onClick={() => { underWay.value = undefined; }}>Do not sign</Button>}
      </div>
      {send.error && <ErrorState failure={send.error} />}
    </>
  );
}

function Receipts({ at }: { at: UnderWay }) {
  return (
    <>
      {at.receipts?.map(({ name, receipt }) => (
        <div class="stack-s" key={name}>
          <h4 class="venue-h">{name} <Pill tone={receipt.status === 'success' ? 'ok' : 'bad'}>{receipt.status}</Pill></h4>
          <Facts of={[['Transaction', <Value text={receipt.transactionHash} ends={10} />], ['Block', count(receipt.blockNumber)], ['Gas used', count(receipt.gasUsed)]]} />
          <Table
            caption={`Events of the ${name.toLowerCase()}`}
            rows={receipt.logs}
            rowKey={({ logIndex }) => String(logIndex)}
            columns={[
              { title: 'Event', nowrap: true, cell: (log) => <code>{eventOf(log).name}</code> },
              { title: 'Values', cell: (log) => eventOf(log).says },
            ]}
          />
        </div>
      ))}
      <Callout tone="ok">The deposit has used the whole approval, so the allowance above is 0 again. Any other allowance would mean that a deposit is missing.</Callout>
      <div class="row"><Button onClick={() => { underWay.value = undefined; }}>Deposit again</Button></div>
    </>
  );
}

/** Moves USDC from the wallet to the venue. */
export function DepositSection({ wallet }: { wallet: DemoWallet }) {
  const at = underWay.value?.wallet === wallet.address ? underWay.value : undefined;
  const steps: Step[] = [
    { title: 'Choose the amount', state: at ? 'done' : 'now', body: at ? <p class="small">{at.deposit.amount} USDC</p> : <Ask wallet={wallet} /> },
    { title: 'Read, sign and broadcast', state: !at ? 'later' : at.receipts ? 'done' : 'now', body: at && !at.receipts && <Read at={at} wallet={wallet} /> },
    { title: 'Receipts', state: at?.receipts ? 'now' : 'later', body: at?.receipts && <Receipts at={at} /> },
  ];
  return (
    <Section anchor="deposit" title="Deposit" description="A deposit has two transactions on the venue’s EVM chain: the first allows the contract to take the USDC, the second makes it do so. Never transfer USDC directly to the contract: it would be lost.">
      <Steps label="A deposit" steps={steps} />
    </Section>
  );
}
