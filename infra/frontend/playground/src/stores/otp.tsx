import { signal } from '@preact/signals';
import { type OtpCode, RuneportError } from '@runeport/client';
import { useEffect, useRef, useState } from 'preact/hooks';

import { Button } from '../components/Button.tsx';
import { Field } from '../components/Field.tsx';

interface Question {
  /** Why the code before was refused. */
  refused?: string | undefined;
  /** Whether a code was entered, and its proof is on its way. */
  isBusy: boolean;
  answer: (code: string) => void;
  cancel: () => void;
}

const question = signal<Question | undefined>(undefined);

/** Thrown when the user closes the dialog, which cancels the sign-in. */
export class OtpCancelled extends Error {
  override name = 'AbortError';
}

/** Asks the user for a code. The dialog stays open until the proof with the code has succeeded or failed. */
function askOtp(refused?: string): Promise<string> {
  if (question.peek()?.isBusy === false) question.peek()?.cancel();
  return new Promise((resolve, reject) => {
    question.value = {
      refused,
      isBusy: false,
      answer(code) {
        if (question.value) question.value = { ...question.value, isBusy: true };
        resolve(code);
      },
      cancel() {
        question.value = undefined;
        reject(new OtpCancelled('You did not enter a code.'));
      },
    };
  });
}

/**
 * Proves an account, and asks for a code of its second factor if it has one. A wrong code is asked for again, and the proof is
 * repeated with the next one.
 */
export async function withCode<T>(prove: (otpCode: OtpCode) => Promise<T>): Promise<T> {
  let code: OtpCode = () => askOtp();
  try {
    for (;;) {
      try {
        return await prove(code);
      } catch (error) {
        if (!(error instanceof RuneportError) || error.key !== 'auth.otpInvalid') throw error;
        code = await askOtp(error.message);
      }
    }
  } finally {
    if (question.peek()?.isBusy) question.value = undefined;
  }
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
    if (asked.isBusy) return;
    setCode('');
    if (!dialog.current?.open) dialog.current?.showModal();
    dialog.current?.querySelector('input')?.focus();
  }, [asked]);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="otp-title"
      onCancel={(event) => {
        event.preventDefault();
        if (!asked?.isBusy) asked?.cancel();
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim() !== '' && asked?.isBusy === false) asked.answer(code.trim());
        }}
      >
        <div class="stack-s">
          <h2 id="otp-title">Second factor</h2>
          <p class="small muted">
            The service answered <code>401 auth.otpRequired</code>. Enter a code from the authenticator app of this account,
            or one of its recovery codes.
          </p>
        </div>
        <Field label="Code" value={code} onInput={setCode} autocomplete="one-time-code" mono error={asked?.refused} />
        <div class="row">
          <Button type="submit" kind="primary" busy={asked?.isBusy === true}>Sign in</Button>
          <Button kind="quiet" disabled={asked?.isBusy === true} onClick={() => asked?.cancel()}>Cancel</Button>
        </div>
      </form>
    </dialog>
  );
}
