import { call } from '@runeport/client';
import { prepareReplacement } from '@runeport/client/wallet';
import { useState } from 'preact/hooks';

import { Button, EmptyState, ErrorState, Loaded, Section, StatusPill, Table, useCall, useLoad } from '../../components/index.ts';
import { ago, count, short, words } from '../../lib/format.ts';
import { api } from '../../stores/session.ts';
import { FeeSelect, type FeeTarget } from './FeeSelect.tsx';
import { amountOf, type Held, type OwnTransaction, underWay, versionsOf, walletKeys, walletTurn } from './model.ts';
import type { Keys } from './Way.tsx';

const canReplace = ({ type, state, replacedByTxId }: OwnTransaction): boolean =>
  (type === 'withdraw' || type === 'renew-utxo') && state === 'inMempool' && replacedByTxId === null;

/** The account's signed transactions, and replacements of those that wait for a block. */
export function Activity({ tokens, keys }: { tokens: readonly Held[]; keys: Keys }) {
  const [feeTarget, setFeeTarget] = useState<FeeTarget>('fast');
  const query = { pageSize: 20 };
  const list = useLoad(
    async () => (await call(api, 'get', '/api/transactions', { params: { query } })).data,
    [keys.address, ...walletKeys()],
  );
  const replace = useCall(async (action: 'bump' | 'cancel', row: OwnTransaction) => {
    const versions = versionsOf(row, list.data ?? []);
    const options = { tradingAddress: keys.address, feeTarget };
    const prepared = await prepareReplacement(api, keys, action, versions, options);
    const names = row.withdrawTo === null ? {} : { [row.withdrawTo]: 'recipient' };
    const title = action === 'bump' ? 'Raise the fee' : 'Cancel a transaction';
    const what = `${action === 'bump' ? 'A higher fee for' : 'A cancellation of'} ${short(row.txId, 6)}`;
    underWay.value = { title, what, prepared, names, route: 'account' };
    walletTurn.value += 1;
  }, { done: 'The replacement was created. Read it before you sign.' });
  const busy = replace.busy || (underWay.value !== undefined && underWay.value.status === undefined);
  return (
    <Section
      title="Own transactions"
      description="Every transaction of the account that was signed, the newest first. One that waits in the mempool can be replaced: by the same at a higher fee, or by one that returns its coins."
      actions={<Button size="small" icon="refresh" busy={list.busy} onClick={() => void list.reload()}>Reload transactions</Button>}
    >
      <Loaded call={list}>
        {(rows) => (rows.length === 0 ? <EmptyState title="No transactions yet">Withdraw or renew coins.</EmptyState> : (
          <>
            <Table<OwnTransaction>
              caption="Own transactions"
              rows={rows}
              rowKey={({ txId }) => txId}
              columns={[
                { title: 'Transaction', nowrap: true, cell: ({ txId }) => <code title={txId}>{short(txId, 6)}</code> },
                { title: 'Kind', cell: ({ type }) => words(type) },
                {
                  title: 'Pays', cell: ({ tokenId, amount, withdrawTo }) => (tokenId === null || amount === null ? <span class="muted">the wallet itself</span> : (
                    <span title={withdrawTo ?? undefined}>{amountOf(tokens.find((held) => held.tokenId === tokenId), amount)}</span>
                  )),
                },
                { title: 'State', cell: ({ state }) => <StatusPill status={state} /> },
                { title: 'Block', align: 'end', cell: ({ blockHeight }) => (blockHeight === null ? '–' : count(blockHeight)) },
                { title: 'Fee', align: 'end', cell: ({ feeSats }) => count(feeSats) },
                { title: 'Signed', cell: ({ createdAt }) => ago(createdAt) },
                {
                  title: 'Replace', quiet: true, cell: (row) => canReplace(row) && (
                    <span class="row">
                      <Button size="small" disabled={busy} onClick={() => void replace.run('bump', row)}>
                        Bump <span class="visually-hidden">{short(row.txId, 6)}</span>
                      </Button>
                      <Button size="small" disabled={busy} onClick={() => void replace.run('cancel', row)}>
                        Cancel <span class="visually-hidden">{short(row.txId, 6)}</span>
                      </Button>
                    </span>
                  ),
                },
              ]}
            />
            {rows.some(canReplace) && (
              <div class="form" role="group" aria-label="Fee of a replacement"><FeeSelect value={feeTarget} onChange={setFeeTarget} span={4} /></div>
            )}
          </>
        ))}
      </Loaded>
      {replace.error && <ErrorState failure={replace.error} />}
    </Section>
  );
}
