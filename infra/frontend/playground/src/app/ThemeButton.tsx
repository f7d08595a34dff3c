import { Button } from '../components/Button.tsx';
import { announce } from './announce.tsx';
import { theme, turnTheme } from './theme.ts';

const THEME = { auto: ['auto', 'system'], light: ['sun', 'light'], dark: ['moon', 'dark'] } as const;

/** Turns to the next colour scheme, and says which that is. */
export function ThemeButton() {
  const [icon, name] = THEME[theme.value];
  return (
    <Button
      kind="quiet"
      icon={icon}
      iconOnly
      onClick={() => {
        turnTheme();
        announce(`Colour scheme: ${THEME[theme.peek()][1]}.`);
      }}
    >
      {`Colours: ${name}`}
    </Button>
  );
}
