// The service never sees a password, so the page alone can refuse one that is easy to guess.

const LEAST = 12;

export const isTooShort = (password: string): boolean => [...password].length < LEAST;

export const TOO_SHORT = `Use at least ${LEAST} characters.`;
