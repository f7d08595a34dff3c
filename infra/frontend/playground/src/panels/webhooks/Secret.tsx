import { Button, Callout, CodeBlock, Section } from '../../components/index.ts';
import { fresh } from './model.ts';

/** A secret that the service shows only now. */
export function Secret() {
  const shown = fresh.value;
  if (shown === undefined) return null;
  return (
    <Section title="The secret of the webhook" description="It verifies the requests. The service shows it once: store it where the receiver can read it.">
      <CodeBlock text={shown.secret} label="Secret" />
      <Callout tone="warn">This page forgets it as well when you leave this section or reload. If it is lost, rotate the secret.</Callout>
      <div class="row"><Button onClick={() => { fresh.value = undefined; }}>I have stored it</Button></div>
    </Section>
  );
}
