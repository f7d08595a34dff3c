import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

import { Icon } from './Icon.tsx';

interface Common {
  label: string;
  /** Name of the field in the call, which matches errors of the service to it. */
  name?: string;
  hint?: ComponentChildren;
  error?: string;
  /** Number of the form's twelve columns. */
  span?: 3 | 4 | 6 | 8;
  required?: boolean;
}

function Around({ id, label, hint, error, span, children }: Common & { id: string; children: ComponentChildren }) {
  return (
    <div class="field" data-span={span}>
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && <p class="field-hint" id={`${id}-hint`}>{hint}</p>}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          <Icon name="warn" size={14} /> {error}
        </p>
      )}
    </div>
  );
}

function described(id: string, { hint, error }: Common) {
  const by = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ');
  return { 'aria-describedby': by || undefined, 'aria-invalid': error === undefined ? undefined : ('true' as const) };
}

interface FieldProps extends Common {
  value: string;
  onInput: (value: string) => void;
  type?: 'text' | 'email' | 'password' | 'number' | 'search' | 'url' | 'datetime-local';
  autocomplete?: AutoFill;
  inputMode?: 'text' | 'numeric' | 'decimal';
  placeholder?: string;
  mono?: boolean;
  readOnly?: boolean;
  autoFocus?: boolean;
}

export function Field(props: FieldProps) {
  const id = useId();
  const { value, onInput, type = 'text', autocomplete = 'off', inputMode, placeholder, mono, readOnly, name, required } = props;
  // Preact's types distinguish inputs by their type.
  const asText = { type } as { type: 'text' };
  return (
    <Around {...props} id={id}>
      <input
        id={id}
        name={name}
        {...asText}
        value={value}
        required={required}
        readOnly={readOnly}
        autocomplete={autocomplete}
        inputMode={inputMode}
        placeholder={placeholder}
        autofocus={props.autoFocus}
        data-mono={mono ? 'true' : undefined}
        spellcheck={mono ? false : undefined}
        autocapitalize={type === 'text' ? 'off' : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
        {...described(id, props)}
      />
    </Around>
  );
}

interface TextAreaProps extends Common {
  value: string;
  onInput: (value: string) => void;
  mono?: boolean;
  rows?: number;
}

export function TextArea(props: TextAreaProps) {
  const id = useId();
  const { value, onInput, mono, rows = 4, name, required } = props;
  return (
    <Around {...props} id={id}>
      <textarea
        id={id}
        name={name}
        rows={rows}
        value={value}
        required={required}
        data-mono={mono ? 'true' : undefined}
        spellcheck={!mono}
        onInput={(event) => onInput(event.currentTarget.value)}
        {...described(id, props)}
      />
    </Around>
  );
}

interface SelectProps<T extends string> extends Common {
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: string }[];
}

export function Select<T extends string>(props: SelectProps<T>) {
  const id = useId();
  const { value, onChange, options, name } = props;
  return (
    <Around {...props} id={id}>
      <select
        id={id}
        name={name}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen) onChange(chosen.value);
        }}
        {...described(id, props)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Around>
  );
}

interface CheckProps {
  label: ComponentChildren;
  checked: boolean;
  onChange: (checked: boolean) => void;
  name?: string;
}

export function Check({ label, checked, onChange, name }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
