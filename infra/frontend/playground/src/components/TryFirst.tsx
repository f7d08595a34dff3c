import type { Preview } from '@runeport/client/wallet';
import { useEffect } from 'preact/hooks';

import { count, plural, sats } from '../lib/format.ts';
import { Button } from './Button.tsx';
import { Facts } from './Layout.tsx';
import { ErrorState, Warnings } from './States.tsx';
import { useCall } from './useCall.ts';

/** Shows what a transaction would be, without creating it. A preview of another request than `what` is not shown. */
export function TryFirst({ what, ready, preview }: { what: string; ready: boolean; preview: () => Promise<Preview> }) {
  const tried = useCall(preview);
  const { reset } = tried;
  useEffect(reset, [what, reset]);
  return (
    <>
      <div class="row">
        <Button kind="quiet" busy={tried.busy} disabled={!ready} onClick={() => void tried.run()}>Show what it would cost</Button>
      </div>
      {tried.data && <Shown of={tried.data} />}
      {tried.error && <ErrorState failure={tried.error} />}
    </>
  );
}

function Shown({ of: { transaction, notes } }: { of: Preview }) {
  const { fee, vbytes, inputs, outputs, remaining } = transaction;
  const back = outputs.filter(({ isOwn }) => isOwn).reduce((sum, output) => sum + output.sats, 0);
  return (
    <>
      <Facts
        of={[
          ['Fee', `${sats(fee.totalFee)}: ${fee.feeRate} sat/vB for ${count(vbytes)} vB`],
          ['Spends', `${plural(inputs.length, 'coin')} with ${sats(inputs.reduce((sum, input) => sum + input.sats, 0))}`],
          ['Returns', `${sats(back)}, to be spent once a block has the transaction`],
          ['Left meanwhile', sats(remaining.sats)],
        ]}
      />
      <Warnings list={notes.warnings} />
    </>
  );
}
