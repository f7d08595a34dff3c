import type { ComponentChildren } from 'preact';

import { CopyButton } from './Copy.tsx';

const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/g;

function coloured(json: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const match of json.matchAll(TOKENS)) {
    const [whole, string, colon, literal] = match;
    parts.push(json.slice(from, match.index));
    if (string !== undefined && colon !== undefined) {
      parts.push(<span class="json-key">{string}</span>, colon);
    } else if (string !== undefined) parts.push(<span class="json-string">{string}</span>);
    else parts.push(<span class={literal === undefined ? 'json-number' : 'json-literal'}>{whole}</span>);
    from = match.index + whole.length;
  }
  parts.push(json.slice(from));
  return parts;
}

/** A block of text with a copy button. */
export function CodeBlock({ text, copy = text, label, children }: {
  text: string;
  copy?: string;
  label: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{children ?? text}</code>
      </pre>
      <CopyButton text={copy} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}

/** Indented and coloured JSON. */
export function JsonView({ value, label = 'JSON' }: { value: unknown; label?: string }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'undefined');
  return (
    <CodeBlock text={text} label={label}>
      {text.length > 60_000 ? text : coloured(text)}
    </CodeBlock>
  );
}
