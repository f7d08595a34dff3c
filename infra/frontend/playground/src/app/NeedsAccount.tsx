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
        title="Nobody is signed in"
        action={
          <div class="row">
            <Button kind="primary" busy={demo.busy} onClick={() => void demo.run()}>Make me a demo user</Button>
            <a class="button" href={linkTo('access')}>Sign up or in</a>
          </div>
        }
      >
        {title} shows what is yours. A demo user is a fresh key of this tab, with an account and some coins of the local
        chain. They are worth nothing.
      </EmptyState>
      {demo.error && <ErrorState failure={demo.error} onRetry={() => void demo.run()} />}
    </>
  );
}
