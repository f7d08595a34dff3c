// The part of Node that the bot uses. In a project of yours, install `@types/node` instead.

declare const process: {
  readonly env: Readonly<Record<string, string | undefined>>;
  once(event: string, listener: () => void): void;
};

declare module 'node:fs/promises' {
  export function readFile(path: string, encoding: 'utf8'): Promise<string>;
  export function rename(from: string, to: string): Promise<void>;
  export function rm(path: string, options: { force: boolean }): Promise<void>;
  export function writeFile(path: string, text: string): Promise<void>;
}

declare module 'node:timers/promises' {
  export function setTimeout<T>(milliseconds: number, value: T, options: { signal: AbortSignal }): Promise<T>;
}
