import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from '../components/Button.tsx';

interface Question {
  /** What happens, as a question. */
  title: string;
  /** What cannot be undone. */
  text: string;
  /** The button that does it. */
  yes: string;
}

const question = signal<(Question & { answer: (isSure: boolean) => void }) | undefined>(undefined);

/** Asks whether the user is sure of something that cannot be undone. */
export function isSure(asked: Question): Promise<boolean> {
  question.peek()?.answer(false);
  return new Promise((resolve) => {
    question.value = {
      ...asked,
      answer(sure) {
        question.value = undefined;
        resolve(sure);
      },
    };
  });
}

export function ConfirmDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = question.value;
  useEffect(() => {
    if (!asked) {
      dialog.current?.close();
      return;
    }
    dialog.current?.showModal();
    // The button that does nothing.
    dialog.current?.querySelector<HTMLElement>('[data-kind="quiet"]')?.focus();
  }, [asked]);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="confirm-title"
      aria-describedby="confirm-text"
      onCancel={(event) => {
        event.preventDefault();
        asked?.answer(false);
      }}
    >
      <div class="dialog-body">
        <div class="stack-s">
          <h2 id="confirm-title">{asked?.title}</h2>
          <p id="confirm-text" class="small">{asked?.text}</p>
        </div>
        <div class="row">
          <Button kind="danger" onClick={() => asked?.answer(true)}>{asked?.yes}</Button>
          <Button kind="quiet" onClick={() => asked?.answer(false)}>Cancel</Button>
        </div>
      </div>
    </dialog>
  );
}
