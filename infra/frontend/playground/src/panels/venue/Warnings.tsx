import type { VenueMetaData } from '@runeport/client/venue';

import { Callout } from '../../components/index.ts';

/** The service's warnings about the data to sign. */
export function VenueWarnings({ metaData }: { metaData: VenueMetaData }) {
  return (
    <>
      {metaData.checks === 'unavailable' && (
        <Callout tone="warn">The venue or its chain did not answer, so the service could not check this. The venue may reject it.</Callout>
      )}
      {metaData.warnings.map(({ kind, message, amount }) => (
        <Callout tone="warn" key={kind}>{message}{amount !== undefined && !message.includes(amount) && ` ${amount} USDC`}</Callout>
      ))}
    </>
  );
}
