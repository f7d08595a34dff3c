import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';

import { Button } from '../components/Button.tsx';
import { Field } from '../components/Field.tsx';

interface Question {
  answer: (code: string) => void;
  cancel: () => void;
}

const question = signal<Question | undefined>(undefined);

/** Thrown when the user closes the dialog, which cancels the sign-in. */
export class OtpCancelled extends Error {
  override name = 'AbortError';
}

/** Asks the user for a second-factor code, for the `otpCode` of every sign-in. */
export function askOtp(): Promise<string> {
  question.peek()?.cancel();
  return new Promise((resolve, reject) => {
    question.value = {
      answer(code) {
        question.value = undefined;
        resolve(code);
      },
      cancel() {
        question.value = undefined;
        reject(new OtpCancelled('You did not enter a code.'));
      },
    };
  });
}

export function OtpDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [code, setCode] = useState('');
  const asked = question.value;
  useEffect(() => {
    if (!asked) {
      dialog.current?.close();
      return;
    }
    setCode('');
    dialog.current?.showModal();
    dialog.current?.querySelector('input')?.focus();
  }, [asked]);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="otp-title"
      onCancel={(event) => {
        event.preventDefault();
        asked?.cancel();
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim() !== '') asked?.answer(code.trim());
        }}
      >
        <div class="stack-s">
          <h2 id="otp-title">Second factor</h2>
          <p class="small muted">
            The service answered <code>401 auth.otpRequired</code>. Enter a code from the authenticator app of this account,
            or one of its recovery codes.
          </p>
        </div>
        <Field label="Code" value={code} onInput={setCode} autocomplete="one-time-code" mono />
        <div class="row">
          <Button type="submit" kind="primary">Sign in</Button>
          <Button kind="quiet" onClick={() => asked?.cancel()}>Cancel</Button>
        </div>
      </form>
    </dialog>
  );
}
