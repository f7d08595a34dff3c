// The parts of Node that the command uses.

declare module 'node:fs/promises' {
  export function readFile(path: string, encoding: 'utf8'): Promise<string>;
}

declare module 'node:readline/promises' {
  export function createInterface(options: { input: unknown; output: unknown; terminal?: boolean }): {
    question(text: string): Promise<string>;
    close(): void;
  };
}

declare module 'node:stream' {
  export class Writable {
    constructor(options: { write: (chunk: unknown, encoding: string, done: () => void) => void });
  }
}

declare module 'node:util' {
  interface Flag {
    readonly type: 'string' | 'boolean';
    readonly multiple?: boolean;
  }
  export function parseArgs<O extends Record<string, Flag>>(options: {
    options: O;
    allowPositionals: true;
  }): {
    positionals: string[];
    values: { [K in keyof O]?: O[K]['multiple'] extends true ? string[] : O[K]['type'] extends 'string' ? string : boolean };
  };
}

declare const process: {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stderr: { write(text: string): void };
  exitCode: number | undefined;
};
