import { useState } from 'preact/hooks';

import { Button, EmptyState, ErrorState, Field, Form, Loaded, Section, Select, Table, useCall, useLoad, Value } from '../../components/index.ts';
import { enterTokens, loadCatalogue } from '../../stores/catalogue.ts';
import { chainName, CHAINS, SAMPLE_ENTRIES } from './model.ts';

/** Runes have at most this many decimals; tokens of other chains have fewer. */
const MOST_DECIMALS = 38;

const chains = [
  ...Object.entries(CHAINS).map(([value, label]) => ({ value, label })), { value: 'bitcoin', label: 'Bitcoin' }, { value: 'solana', label: 'Solana' },
];
const decimals = Array.from({ length: MOST_DECIMALS + 1 }, (_, count) => ({ value: String(count), label: String(count) }));

const nameOf = (chain: string): string => chains.find(({ value }) => value === chain)?.label ?? chainName(Number(chain));

/** The catalogue, and the lever that fills it. */
export function Catalogue() {
  const list = useLoad(loadCatalogue);
  const [tokenId, setTokenId] = useState('');
  const [chain, setChain] = useState('42161');
  const [symbol, setSymbol] = useState('');
  const [divisibility, setDivisibility] = useState('6');
  const add = useCall(async (samples: boolean) => {
    await enterTokens(samples ? SAMPLE_ENTRIES : [{ tokenId: tokenId.trim(), chain, symbol: symbol.trim(), divisibility: Number(divisibility), slots: [] }]);
    await list.reload();
  }, { done: 'Added to the catalogue.' });
  return (
    <Section
      title="Token catalogue"
      description="Symbols and decimals, by which clients show amounts. Operators fill it; here, a lever of the local world does. The forms of this page offer its tokens."
      actions={<Button size="small" icon="refresh" busy={list.busy} onClick={() => void list.reload()}>Reload</Button>}
    >
      <Loaded call={list}>
        {(tokens) => tokens.length === 0 ? (
          <EmptyState title="No tokens">Add one, or the samples.</EmptyState>
        ) : (
          <Table
            caption="Token catalogue"
            rows={tokens}
            rowKey={(token) => token.tokenId}
            columns={[
              { title: 'Symbol', cell: (token) => token.symbol },
              { title: 'Chain', nowrap: true, cell: (token) => nameOf(token.chain) },
              { title: 'Decimals', align: 'end', cell: (token) => token.divisibility },
              { title: 'Token id', nowrap: true, cell: (token) => <Value text={token.tokenId} ends={8} /> },
            ]}
          />
        )}
      </Loaded>
      <Form label="Token of the catalogue" onSubmit={() => void add.run(false)}>
        <Field label="Token id" name="tokenId" mono value={tokenId} onInput={setTokenId} hint="The address of the contract, or the id of the rune. An entry with this id is replaced." />
        <Select label="Chain" name="chain" span={4} value={chain} options={chains} onChange={setChain} />
        <Field label="Symbol" name="symbol" span={4} value={symbol} onInput={setSymbol} />
        <Select label="Decimals" name="divisibility" span={4} value={divisibility} options={decimals} onChange={setDivisibility} />
        <div class="row">
          <Button type="submit" busy={add.busy} disabled={tokenId.trim() === '' || symbol.trim() === ''}>Add the token</Button>
          <Button kind="quiet" busy={add.busy} onClick={() => void add.run(true)}>Add the sample tokens</Button>
        </div>
      </Form>
      {add.error && <ErrorState failure={add.error} />}
    </Section>
  );
}
