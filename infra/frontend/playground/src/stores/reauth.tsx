import { signal } from '@preact/signals';
import { type Api, type Me, type OtpCode, reauthenticateWithWallet } from '@runeport/client';
import { useEffect, useRef, useState } from 'preact/hooks';

import { Button } from '../components/Button.tsx';
import { Field } from '../components/Field.tsx';
import { ErrorState } from '../components/States.tsx';
import { useCall } from '../components/useCall.ts';
import { withCode } from './otp.tsx';
import { signerOf, walletAt } from './wallets.ts';

interface Question {
  api: Api;
  account: Me;
  answer: (proved: boolean) => void;
}

/** Increments with each proof, which the account's activity lists. */
export const proofs = signal(0);

const question = signal<Question | undefined>(undefined);

/** Asks the user to prove the account again, for `onReauth` of the client. Resolves to whether it was proved. */
export function askReauth(api: Api, account: Me | undefined): Promise<boolean> {
  if (!account) return Promise.resolve(false);
  question.peek()?.answer(false);
  return new Promise((resolve) => {
    question.value = {
      api,
      account,
      answer(proved) {
        question.value = undefined;
        resolve(proved);
      },
    };
  });
}

/** Proves the account in the way in which it signs in, whose library is loaded here. */
async function prove({ api, account }: Question, password: string, otpCode: OtpCode): Promise<void> {
  const options = { otpCode };
  if (account.authMethod === 'passkey') {
    const { reauthenticateWithPasskey } = await import('@runeport/client/passkeys');
    await reauthenticateWithPasskey(api, options);
  } else if (account.authMethod === 'srp') {
    const { reauthenticateWithPassword } = await import('@runeport/client/srp');
    await reauthenticateWithPassword(api, { ...options, email: account.email ?? '', account: account.id, password });
  } else {
    const wallet = walletAt(account.wallet?.address ?? '');
    if (!wallet) throw new Error('The key of the sign-in wallet is not in this tab. Paste it in the panel Sign-in.');
    await reauthenticateWithWallet(api, await signerOf(wallet), options);
  }
}

const HOW = { wallet: 'Sign with the wallet', passkey: 'Use the passkey', srp: 'Confirm' } as const;

export function ReauthDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [password, setPassword] = useState('');
  const asked = question.value;
  const proof = useCall(async () => {
    if (!asked) return;
    await withCode((otpCode) => prove(asked, password, otpCode));
    proofs.value += 1;
    asked.answer(true);
  }, { done: 'Your account is confirmed.' });
  useEffect(() => {
    if (!asked) {
      dialog.current?.close();
      return;
    }
    setPassword('');
    proof.reset();
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [asked]);
  const method = asked?.account.authMethod ?? 'wallet';
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="reauth-title"
      onCancel={(event) => {
        event.preventDefault();
        asked?.answer(false);
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void proof.run();
        }}
      >
        <div class="stack-s">
          <h2 id="reauth-title">Confirm that it is you</h2>
          <p class="small muted">
            The service answered <code>401 auth.reauthRequired</code>: this change needs a proof within the last 15 minutes. It
            renews this session, and the change goes on.
          </p>
        </div>
        {method === 'srp' && (
          <Field label="Password of the account" type="password" value={password} onInput={setPassword} autocomplete="current-password" />
        )}
        {proof.error && <ErrorState failure={proof.error} />}
        <div class="row">
          <Button type="submit" kind="primary" busy={proof.busy} disabled={method === 'srp' && password === ''}>{HOW[method]}</Button>
          <Button kind="quiet" onClick={() => asked?.answer(false)}>Cancel</Button>
        </div>
      </form>
    </dialog>
  );
}
