import { checkHubWithdrawal, createHubWithdrawal, previewHubWithdrawal } from '@runeport/client/bitcoin';
import { type Balance, prepareWithdrawal, previewWithdrawal } from '@runeport/client/wallet';
import { useState } from 'preact/hooks';

import { AmountField, Button, Check, ErrorState, Field, Form, Section, Select, Steps, TryFirst, useCall } from '../../components/index.ts';
import { readBitcoinAddress } from '../../lib/address.ts';
import { amountOrThrow, isAmount, readAmount } from '../../lib/amount.ts';
import { count, sats, short, units } from '../../lib/format.ts';
import { api } from '../../stores/session.ts';
import { bitcoinWalletWithKey, strangerAddress } from '../../stores/wallets.ts';
import { FeeSelect, type FeeTarget } from './FeeSelect.tsx';
import { BTC, ruleOf, titleOf, tokensOf, underWay, walletTurn } from './model.ts';
import { type Keys, stepsOf } from './Way.tsx';

function Create({ balance, keys }: { balance: Balance; keys: Keys }) {
  const tokens = tokensOf(balance);
  const [tokenId, setTokenId] = useState(BTC);
  const token = tokens.find((held) => held.tokenId === tokenId);
  const [route, setRoute] = useState<'withdraw' | 'xchain-withdraw'>('withdraw');
  const [amount, setAmount] = useState('0.0005');
  const [isMax, setMax] = useState(false);
  const [feeTarget, setFeeTarget] = useState<FeeTarget>('normal');
  const [withdrawTo, setWithdrawTo] = useState(bitcoinWalletWithKey(keys.publicKey)?.address ?? '');
  const [xchainData, setXchainData] = useState('0x00');
  const recipient = readBitcoinAddress(withdrawTo);
  const leastSats = 'problem' in recipient ? undefined : recipient.leastSats;
  const rule = token && { ...ruleOf(token), ...(tokenId === BTC && leastSats !== undefined && { least: leastSats }) };
  const read = rule ? readAmount(amount, rule) : { problem: 'Choose a token.' };
  const isPlain = route === 'withdraw';
  const all = isPlain && isMax;
  const to = withdrawTo.trim();
  const isReady = token !== undefined && leastSats !== undefined && (all || isAmount(read));
  const request = () => ({ tokenId, amount: all ? 'max' : String(amountOrThrow(read).units), withdrawTo: to });
  const create = useCall(async () => {
    const wanted = request();
    const options = { tradingAddress: keys.address };
    const what = `A withdrawal of ${all || !isAmount(read) ? `all ${token?.name ?? ''}` : read.said} to ${short(to)}`;
    const names = { [to.toLowerCase()]: 'recipient', [to]: 'recipient' };
    if (isPlain) {
      const prepared = await prepareWithdrawal(api, keys, { ...wanted, feeTarget }, options);
      underWay.value = { title: 'Withdraw', what, prepared, names, route: 'account' };
    } else {
      const params = { ...wanted, xchainData };
      const { transaction, notes } = await createHubWithdrawal(api, params);
      const psbt = checkHubWithdrawal(transaction, params, keys, options);
      underWay.value = { title: 'Withdraw', what, prepared: { transaction, notes, psbt }, names, route: 'hub' };
    }
    walletTurn.value += 1;
  }, { done: 'The transaction was created. Read it before you sign.' });
  const fields = create.error?.fields ?? {};
  return (
    <>
      <Form onSubmit={() => void create.run()} failure={create.error} label="Withdrawal">
        <Select
          label="Token" name="tokenId" span={6} value={tokenId}
          options={tokens.map((held) => ({ value: held.tokenId, label: `${titleOf(held)} · ${units(held.available, held.divisibility ?? 0)} available` }))}
          onChange={(next) => { setTokenId(next); setAmount(next === BTC ? '0.0005' : '1'); }}
          error={fields['params.tokenId'] ?? fields.tokenId}
        />
        <Select
          label="Route" span={6} value={route} onChange={setRoute}
          options={[
            { value: 'withdraw', label: 'to a Bitcoin address' },
            { value: 'xchain-withdraw', label: 'through the hub, with data of a swap' },
          ]}
        />
        {!all && rule && (
          <AmountField
            label="Amount" name="amount" span={6} value={amount} onInput={setAmount} rule={rule}
            hint={(typed) => (tokenId === BTC ? `= ${sats(typed.units)}` : `= ${count(typed.units)} of the smallest unit`)}
            error={fields['params.amount'] ?? fields.amount}
          />
        )}
        {isPlain && <FeeSelect value={feeTarget} onChange={setFeeTarget} />}
        {isPlain && <Check label="As much as one transaction can pay" checked={isMax} onChange={setMax} name="max" />}
        <Field
          label="To" name="withdrawTo" mono value={withdrawTo} onInput={setWithdrawTo}
          hint="Default: the address of your own key. Any regtest address works."
          error={'problem' in recipient ? recipient.problem : fields['params.withdrawTo'] ?? fields.withdrawTo}
        />
        {!isPlain && (
          <Field
            label="xchainData" name="xchainData" mono value={xchainData} onInput={setXchainData}
            hint="Hex. An OP_RETURN contains its SHA-256 hash; the hub receives the full data."
            error={fields['params.xchainData'] ?? fields.xchainData}
          />
        )}
        <div class="row">
          <Button type="submit" kind="primary" class="button-says" busy={create.busy} disabled={!isReady}>
            {isReady ? `Create the transaction: pay ${isAmount(read) && !all ? read.said : `all ${token.name} that it can`} to ${short(to)}` : 'Create the transaction'}
          </Button>
          <Button kind="quiet" onClick={() => setWithdrawTo(strangerAddress())}>To a new address</Button>
        </div>
      </Form>
      {create.error && <ErrorState failure={create.error} />}
      <TryFirst
        what={JSON.stringify([route, tokenId, all || amount, feeTarget, to, xchainData])} ready={isReady}
        preview={async () => (isPlain ? previewWithdrawal(api, { ...request(), feeTarget }) : previewHubWithdrawal(api, { ...request(), xchainData }))}
      />
    </>
  );
}

/** The transaction that is being made: a withdrawal, or one that begins at the coins or at the own transactions. */
export function Send({ balance, keys }: { balance: Balance; keys: Keys }) {
  const at = underWay.value;
  return (
    <Section
      anchor="withdraw"
      title={at?.title ?? 'Withdraw'}
      description="The service builds the transaction, you read and sign it, and the platform signs and broadcasts it."
    >
      <Steps
        label="Withdrawal"
        steps={[
          {
            title: 'Choose amount and recipient', state: at === undefined ? 'now' : 'done',
            body: at === undefined ? <Create balance={balance} keys={keys} /> : undefined,
          },
          ...stepsOf(at, keys),
        ]}
      />
    </Section>
  );
}
