import { call } from '@runeport/client';
import { useEffect } from 'preact/hooks';

import { Button, Loaded, Section, useLoad } from '../components/index.ts';
import { api } from '../stores/session.ts';
import { Add } from './webhooks/Add.tsx';
import { Deliveries } from './webhooks/Deliveries.tsx';
import { Details } from './webhooks/Details.tsx';
import { List } from './webhooks/List.tsx';
import { fresh, opened, request, useDeliveries } from './webhooks/model.ts';
import { Received } from './webhooks/Received.tsx';
import { Secret } from './webhooks/Secret.tsx';
import { Verify } from './webhooks/Verify.tsx';
import '../styles/webhooks.css';

function Webhooks() {
  const { cause, again } = useDeliveries();
  const list = useLoad(async () => (await call(api, 'get', '/api/webhooks')).data, [cause], { again });
  // A secret is shown once, so a visit to another panel ends its display.
  useEffect(() => () => {
    fresh.value = undefined;
    request.value = { headers: '', body: '' };
  }, []);
  const shown = list.data?.find(({ id }) => id === opened.value) ?? list.data?.[0];
  return (
    <>
      <Add />
      <Secret />
      <Section
        title="Your webhooks"
        actions={<Button size="small" icon="refresh" busy={list.busy} onClick={() => void list.reload()}>Reload webhooks</Button>}
      >
        <Loaded call={list}>{(rows) => <List rows={rows} shown={shown?.id} />}</Loaded>
      </Section>
      {shown && (
        <div class="stack-l" key={shown.id}>
          <Details webhook={shown} />
          <Deliveries webhookId={shown.id} />
        </div>
      )}
      <Received />
      <Verify />
    </>
  );
}

export default Webhooks;
