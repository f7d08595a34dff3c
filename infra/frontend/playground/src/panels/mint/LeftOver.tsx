import { call } from '@runeport/client';
import { prepareReplacement } from '@runeport/client/wallet';

import { goTo } from '../../app/router.ts';
import { Button, Callout, ErrorState, useCall, useLoad } from '../../components/index.ts';
import { short } from '../../lib/format.ts';
import { changes } from '../../stores/live.ts';
import { api } from '../../stores/session.ts';
import { type OwnTransaction, underWay, versionsOf, walletTurn } from '../wallet/model.ts';
import { mintChanges } from './chain.ts';
import type { Batch } from './model.ts';

const waits = ({ state, replacedByTxId }: OwnTransaction): boolean => state === 'inMempool' && replacedByTxId === null;

/** Batches that wait for a Bitcoin block although their mint has ended without them. Their owner can have the coins back now. */
export function LeftOver({ batches }: { batches: readonly Batch[] }) {
  const left = batches.filter(({ state, paidSats }) => state === 'notTaken' && paidSats === 0);
  const rows = useLoad(async () => {
    if (left.length === 0) return [];
    const params = { query: { type_eq: ['virtual_mint' as const], pageSize: 100 } };
    return (await call(api, 'get', '/api/transactions', { params })).data;
  }, [left.map(({ txId }) => txId).join(), mintChanges(), changes('transaction.stateChanged')]);
  const cancel = useCall(async (row: OwnTransaction) => {
    const { data: keys } = await call(api, 'get', '/api/account/trading-wallet');
    const versions = versionsOf(row, rows.data ?? []);
    const prepared = await prepareReplacement(api, keys, 'cancel', versions, { tradingAddress: keys.address, feeTarget: 'fast' });
    underWay.value = {
      title: 'Cancel a transaction', what: `A cancellation of the batch ${short(row.txId, 6)}`, prepared, names: {}, route: 'account',
    };
    walletTurn.value += 1;
    goTo('wallet', { section: 'withdraw' });
  }, { done: 'The cancellation was created. Read it before you sign.' });
  const isBusy = underWay.value !== undefined && underWay.value.status === undefined;
  const waiting = (rows.data ?? []).filter((row) => waits(row) && left.some(({ txId }) => txId === row.txId));
  return (
    <>
      {waiting.map((row) => (
        <Callout key={row.txId} tone="warn">
          <div class="stack-s">
            <p>
              The mint has ended, but your batch {short(row.txId, 6)} still waits for a Bitcoin block. Cancel it to have its coins back
              now. If a block has it first, you can refund it.
            </p>
            <div class="row">
              <Button busy={cancel.busy} disabled={isBusy} onClick={() => void cancel.run(row)}>
                Cancel the batch <span class="visually-hidden">{short(row.txId, 6)}</span>
              </Button>
            </div>
          </div>
        </Callout>
      ))}
      {(cancel.error ?? rows.error) && <ErrorState failure={(cancel.error ?? rows.error)!} />}
    </>
  );
}
