import { Button } from '../components/Button.tsx';
import { EmptyState, ErrorState } from '../components/States.tsx';
import { useCall } from '../components/useCall.ts';
import { makeDemoUser } from '../stores/demo.ts';
import { linkTo, panelId, panelParams } from './router.ts';

/** Replaces a panel that needs an account while the user is signed out. */
export function NeedsAccount({ title }: { title: string }) {
  const params = panelParams.value;
  // The links of mails lead to Security.
  const isMailed = panelId.value === 'security' && (params.has('verify') || params.has('token'));
  const demo = useCall(makeDemoUser, { done: 'You are signed in as a demo user.' });
  return (
    <>
      <EmptyState
        title="You are not signed in"
        action={
          <div class="row">
            <Button kind="primary" busy={demo.busy} onClick={() => void demo.run()}>Create a demo user</Button>
            <a class="button" href={linkTo('access', isMailed ? { back: location.hash.replace(/^#\/?/, '') } : {})}>Sign up or in</a>
          </div>
        }
      >
        {title} needs an account. A demo user is a new key in this tab, with an account and some worthless coins of the
        local chain.
        {isMailed && ' You have opened the link of an e-mail: sign in to the account that it was sent to, then go on with it.'}
      </EmptyState>
      {demo.error && <ErrorState failure={demo.error} onRetry={() => void demo.run()} />}
    </>
  );
}
