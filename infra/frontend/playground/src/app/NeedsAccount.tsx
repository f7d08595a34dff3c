import { Button } from '../components/Button.tsx';
import { EmptyState, ErrorState } from '../components/States.tsx';
import { useCall } from '../components/useCall.ts';
import { makeDemoUser } from '../stores/demo.ts';
import { linkTo } from './router.ts';

/** Replaces a panel that needs an account while the user is signed out. */
export function NeedsAccount({ title }: { title: string }) {
  const demo = useCall(makeDemoUser, { done: 'You are signed in as a demo user.' });
  return (
    <>
      <EmptyState
        title="You are not signed in"
        action={
          <div class="row">
            <Button kind="primary" busy={demo.busy} onClick={() => void demo.run()}>Create a demo user</Button>
            <a class="button" href={linkTo('access')}>Sign up or in</a>
          </div>
        }
      >
        {title} needs an account. A demo user is a new key in this tab, with an account and some worthless coins of the
        local chain.
      </EmptyState>
      {demo.error && <ErrorState failure={demo.error} onRetry={() => void demo.run()} />}
    </>
  );
}
