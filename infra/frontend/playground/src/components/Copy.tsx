import { useEffect, useState } from 'preact/hooks';

import { announce } from '../app/announce.tsx';
import { short } from '../lib/format.ts';
import { Icon } from './Icon.tsx';

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), 1600);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <button
      type="button"
      class="copy"
      data-done={done}
      title={label}
      aria-label={label}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(
          () => {
            setDone(true);
            announce('Copied.');
          },
          () => announce('The browser does not allow this page to copy.'),
        );
      }}
    >
      <Icon name={done ? 'check' : 'copy'} size={14} />
    </button>
  );
}

/** An address, id or hash: displayed shortened, copied in full. */
export function Value({ text, ends = 8, whole = false, label }: { text: string; ends?: number; whole?: boolean; label?: string }) {
  return (
    <span class="value">
      <code title={whole ? undefined : text}>{whole ? text : short(text, ends)}</code>
      <CopyButton text={text} label={label ?? `Copy ${short(text, 6)}`} />
    </span>
  );
}
