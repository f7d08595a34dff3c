import type { ComponentChildren } from 'preact';

import { Icon, type IconName } from './Icon.tsx';

interface ButtonProps {
  children: ComponentChildren;
  onClick?: (event: MouseEvent) => void;
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'small' | 'medium';
  type?: 'button' | 'submit';
  icon?: IconName;
  /** The text is only for screen readers and the tooltip. */
  iconOnly?: boolean;
  busy?: boolean;
  disabled?: boolean;
  pressed?: boolean;
  expanded?: boolean;
  controls?: string;
  id?: string;
  class?: string;
}

/** Busy and disabled buttons stay focusable, so that a keyboard user keeps the focus. */
export function Button({
  children, onClick, kind = 'secondary', size = 'medium', type = 'button', icon, iconOnly = false, busy = false,
  disabled = false, pressed, expanded, controls, id, class: extra = '',
}: ButtonProps) {
  const off = busy || disabled;
  return (
    <button
      id={id}
      type={type}
      class={`button ${extra}`}
      data-kind={kind}
      data-size={size}
      data-only={iconOnly ? 'icon' : undefined}
      aria-disabled={off ? 'true' : undefined}
      aria-busy={busy ? 'true' : undefined}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-controls={controls}
      title={iconOnly && typeof children === 'string' ? children : undefined}
      onClick={(event) => {
        if (off) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span class="spinner" /> : icon && <Icon name={icon} size={size === 'small' ? 14 : 16} />}
      {iconOnly ? <span class="visually-hidden">{children}</span> : children}
    </button>
  );
}
