import type { VenueMetaData } from '@runeport/client/venue';

import { Callout } from '../../components/index.ts';

/** Warnings of the service next to the data to sign. */
export function VenueWarnings({ metaData }: { metaData: VenueMetaData }) {
  return (
    <>
      {metaData.checks === 'unavailable' && (
        <Callout tone="warn">The venue or its chain could not be asked. What is answered here was not checked against it, and may bounce.</Callout>
      )}
      {metaData.warnings.map(({ kind, message, amount }) => (
        <Callout tone="warn" key={kind}>{message}{amount !== undefined && !message.includes(amount) && ` ${amount} USDC`}</Callout>
      ))}
    </>
  );
}
