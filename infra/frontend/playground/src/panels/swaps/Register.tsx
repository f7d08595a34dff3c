import { call, type Schemas } from '@runeport/client';
import { useState } from 'preact/hooks';

import { AmountField, Button, Callout, ErrorState, Field, Form, More, Section, Select, useCall } from '../../components/index.ts';
import { readEvmAddress } from '../../lib/address.ts';
import { type AmountRule, amountOrThrow, isAmount, readAmount } from '../../lib/amount.ts';
import { count, short } from '../../lib/format.ts';
import { api } from '../../stores/session.ts';
import type { DemoWallet } from '../../stores/wallets.ts';
import { OwnEvm } from '../evm/OwnEvm.tsx';
import { chainName, keyOf, randomHash, SAMPLES, type Token, tokens } from './model.ts';

const ruleOf = ({ decimals, symbol }: Token): AmountRule => ({ decimals, unit: symbol, most: 2n ** 256n - 1n });

function RegisterForm({ wallet, onRegistered }: { wallet: DemoWallet; onRegistered: (intentTxHash: string) => void }) {
  const [from, setFrom] = useState(keyOf(SAMPLES[0]));
  const [to, setTo] = useState(keyOf(SAMPLES[2]));
  const [given, setGiven] = useState('25');
  const [wanted, setWanted] = useState('0.006');
  const [intentTxHash, setIntent] = useState(randomHash);
  const [spokeTxHash, setSpoke] = useState(randomHash);
  const [dstAddress, setDst] = useState(wallet.address);
  const options = tokens.value.map((token) => ({ value: keyOf(token), label: `${token.symbol} on ${chainName(token.chain)}` }));
  const chosen = (key: string): Token => tokens.value.find((token) => keyOf(token) === key) ?? SAMPLES[0];
  const [input, output] = [chosen(from), chosen(to)];
  const paid = readAmount(given, ruleOf(input));
  const least = readAmount(wanted, ruleOf(output));
  const recipient = readEvmAddress(dstAddress);
  const payTo = 'problem' in recipient ? undefined : recipient.address;
  const register = useCall(async () => {
    if (payTo === undefined) throw new Error('Enter the address that receives the tokens.');
    const swap: Schemas['Swap'] = {
      intentTxHash, spokeTxHash, walletAddress: wallet.address, srcAddress: wallet.address, dstAddress: payTo,
      srcChain: input.chain, dstChain: output.chain, inputToken: input.address, outputToken: output.address,
      inputAmount: String(amountOrThrow(paid).units), minOutputAmount: String(amountOrThrow(least).units),
    };
    const { data } = await call(api, 'post', '/api/xchain/transactions/register', { body: swap });
    onRegistered(intentTxHash);
    return { ...data, intentTxHash };
  }, { done: ({ registered }) => (registered ? 'The swap is registered.' : 'This swap was already registered.') });
  const fields = register.error?.fields ?? {};
  const again = register.data?.intentTxHash === intentTxHash;
  return (
    <>
      <Form onSubmit={() => void register.run()} failure={register.error} label="Swap">
        <Select label="Pay" name="inputToken" span={6} value={from} options={options} onChange={setFrom} error={fields.inputToken ?? fields.srcChain} />
        <AmountField
          label="Amount" name="inputAmount" span={6} value={given} onInput={setGiven} rule={ruleOf(input)} error={fields.inputAmount}
          hint={({ units }) => `= ${count(units)} of the smallest unit`}
        />
        <Select label="Receive" name="outputToken" span={6} value={to} options={options} onChange={setTo} error={fields.outputToken ?? fields.dstChain} />
        <AmountField
          label="At least" name="minOutputAmount" span={6} value={wanted} onInput={setWanted} rule={ruleOf(output)} error={fields.minOutputAmount}
          hint={({ units }) => `= ${count(units)} of the smallest unit`}
        />
        <More title="Hashes and addresses" open={payTo === undefined || Object.keys(fields).some((field) => field.endsWith('Hash') || field.endsWith('Address'))}>
          <div class="stack">
            <Field label="Hash of the intent on the hub’s chain" name="intentTxHash" mono value={intentTxHash} onInput={setIntent} error={fields.intentTxHash} />
            <Field label="Hash of the transaction on the source chain" name="spokeTxHash" mono value={spokeTxHash} onInput={setSpoke} error={fields.spokeTxHash} />
            <Field label="To" name="dstAddress" mono value={dstAddress} onInput={setDst} error={'problem' in recipient ? recipient.problem : fields.dstAddress ?? fields.srcAddress ?? fields.walletAddress} />
          </div>
        </More>
        <div class="row">
          <Button type="submit" kind="primary" class="button-says" busy={register.busy} disabled={!isAmount(paid) || !isAmount(least) || payTo === undefined}>
            {isAmount(paid) && isAmount(least) && payTo !== undefined ? `Register ${paid.said} for at least ${least.said} to ${short(payTo)}` : 'Register the swap'}
          </Button>
          <Button kind="quiet" icon="refresh" onClick={() => { setIntent(randomHash()); setSpoke(randomHash()); register.reset(); }}>New hashes</Button>
        </div>
      </Form>
      {register.error && <ErrorState failure={register.error} />}
      {again && register.state === 'ok' && (
        <Callout tone={register.data?.registered ? 'ok' : 'info'}>
          {register.data?.registered
            ? 'Registered. If you send the same swap again, the service answers “registered: false”. Other amounts with the same hashes cause a conflict.'
            : 'The same swap was already registered. The service answered “registered: false” and changed nothing.'}
        </Callout>
      )}
    </>
  );
}

export function Register({ onRegistered }: { onRegistered: (intentTxHash: string) => void }) {
  return (
    <Section
      title="Register a swap"
      description="Your wallet starts a swap between two other chains without this service. Register the swap here, and the service lists and follows it."
    >
      <OwnEvm why="A swap must come from one of your own addresses.">
        {(wallet) => <RegisterForm key={wallet.address} wallet={wallet} onRegistered={onRegistered} />}
      </OwnEvm>
    </Section>
  );
}
