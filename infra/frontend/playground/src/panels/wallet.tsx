import { call, makeTradingWallet, type Schemas } from '@runeport/client';
import { balance as balanceOf, coins as coinsOf } from '@runeport/client/wallet';
import { useState } from 'preact/hooks';

import {
  AmountField, Button, Callout, CodeBlock, ErrorState, Facts, Form, Loaded, LoadingState, More, Section, useCall, useLoad, Value, WalletPicker,
} from '../components/index.ts';
import { type AmountRule, amountOrThrow, isAmount, MOST_SATS, readAmount } from '../lib/amount.ts';
import { count, plural, short, when } from '../lib/format.ts';
import { levers, newRuneName } from '../stores/local.ts';
import { loadCatalogue } from '../stores/catalogue.ts';
import { account, api } from '../stores/session.ts';
import { signerOf, walletFor } from '../stores/wallets.ts';
import { Activity } from './wallet/Activity.tsx';
import { Balances, Coins } from './wallet/Coins.tsx';
import { paidTxId, tokensOf, unmined, walletKeys } from './wallet/model.ts';
import { Deposits } from './wallet/Deposits.tsx';
import { Send } from './wallet/Send.tsx';
import { Spend } from './wallet/Spend.tsx';

type Backup = Schemas['TradingWalletBackup'];

function Make() {
  const make = useCall(async () => {
    account.value = await makeTradingWallet(api, await signerOf(await walletFor('bitcoin')));
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

/** What the faucet pays: the smallest payment that nodes relay to a trading address is 330 sats. */
const FAUCET: AmountRule = { decimals: 0, unit: 'sat', units: 'sats', least: 330n, most: MOST_SATS };

function Faucet({ address }: { address: string }) {
  const [sats, setSats] = useState('100000');
  const read = readAmount(sats, FAUCET);
  const fund = useCall(async () => {
    const { outpoint } = await levers.fund(address, Number(amountOrThrow(read).units));
    paidTxId.value = outpoint.split(':')[0];
    unmined.value += 1;
  }, { done: 'Paid. The payment waits for a block.' });
  const mine = useCall(async () => {
    await levers.mine(1);
    unmined.value = 0;
    paidTxId.value = undefined;
  }, { done: 'A block was mined.' });
  const etch = useCall(() => levers.etch(newRuneName(), '1000000', 2, address), { done: 'A rune was etched.' });
  const inscribe = useCall(() => levers.inscribe(address, 'text/plain;charset=utf-8', 'A keepsake of the playground'), { done: 'An inscription was created.' });
  const failed = [fund, mine, etch, inscribe].find(({ error }) => error)?.error;
  return (
    <>
      <Form onSubmit={() => void fund.run()} label="Faucet">
        <AmountField label="Sats from the faucet" span={4} value={sats} onInput={setSats} rule={FAUCET} />
        <div class="row" data-span="8" style={{ alignSelf: 'end', minHeight: '36px' }}>
          <Button type="submit" class="button-says" busy={fund.busy} disabled={!isAmount(read)}>{isAmount(read) ? `Pay ${read.said} to ${short(address)}` : 'Pay'}</Button>
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
  const turns = [address, ...walletKeys()];
  const balance = useLoad(() => balanceOf(api), turns);
  const coins = useLoad(() => coinsOf(api), turns);
  useLoad(loadCatalogue);
  const tokens = balance.data ? tokensOf(balance.data) : [];
  // All at once, so that nothing moves while it is read.
  if ([wallet, balance, coins].some(({ data, error }) => data === undefined && error === undefined)) {
    return <LoadingState lines={12} label="Loading the trading wallet" />;
  }
  return (
    <>
      <Section anchor="holdings" title="Holdings" description="What the service may spend with your signature, and what it may not.">
        <Balances balance={balance.data} />
        {balance.error && <ErrorState failure={balance.error} onRetry={() => void balance.reload()} />}
        <Faucet address={address} />
        <Loaded call={coins}>{(held) => (wallet.data ? <Coins held={held} keys={wallet.data} /> : null)}</Loaded>
      </Section>
      <Deposits address={address} />
      {wallet.data && balance.data && <Send balance={balance.data} keys={wallet.data} />}
      {coins.data && balance.data && <Spend tokens={tokens} coins={coins.data.coins} />}
      {wallet.data && balance.data && <Activity tokens={tokens} keys={wallet.data} />}
      <Loaded call={wallet}>{(backup) => <Script wallet={backup} />}</Loaded>
    </>
  );
}

function TradingWallet() {
  const address = account.value?.tradingAddress;
  if (!account.value) return null;
  return address === null || address === undefined ? <Make /> : <Trading key={address} address={address} />;
}

export default TradingWallet;
