import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import type { Failure } from '../lib/failure.ts';

interface FormProps {
  onSubmit: () => void;
  children: ComponentChildren;
  /** Failure of the last call; its first invalid field gets the focus. */
  failure?: Failure;
  label?: string;
}

export function Form({ onSubmit, children, failure, label }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure]);
  return (
    <form
      ref={form}
      class="form"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
