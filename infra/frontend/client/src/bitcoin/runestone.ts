import { clientError } from '../error.js';

/** Moves an amount of a rune to an output. */
export interface Edict {
  /** `block:tx`. */
  readonly runeId: string;
  /** In the rune's smallest unit; 0 means the whole remainder. */
  readonly amount: bigint;
  /** The index of the output. If it equals the number of outputs, each output gets the amount. */
  readonly output: number;
}

/** How a transaction moves runes; the protocol message in its OP_RETURN. */
export interface Runestone {
  readonly edicts: readonly Edict[];
  /** The index of the output that gets the runes that no edict moves; default: the first non-OP_RETURN output. */
  readonly pointer: number | undefined;
}

const OP_RETURN = 0x6a;
const OP_13 = 0x5d;
const OP_PUSHDATA1 = 0x4c;
const OP_PUSHDATA2 = 0x4d;
const BODY = 0n;
const POINTER = 22n;

/**
 * Whether a script is a message of the runes protocol; the message may be malformed.
 *
 * @example
 * isRunestone(Uint8Array.of(0x6a, 0x5d));
 * // true
 */
export function isRunestone(script: Uint8Array): boolean {
  return script[0] === OP_RETURN && script[1] === OP_13;
}

/**
 * Reads a runestone that only moves runes.
 *
 * @param script A script for which {@link isRunestone} is true.
 * @param outputs The number of outputs of the transaction.
 * @throws {@link RuneportError} `client.psbtRefused` if the runestone etches, mints or is malformed. A
 *   malformed runestone burns the runes.
 * @see https://docs.ordinals.com/runes/specification.html
 *
 * @example
 * if (isRunestone(script)) for (const { runeId, amount, output } of readRunestone(script, 2).edicts) console.log(runeId, amount, output);
 */
export function readRunestone(script: Uint8Array, outputs: number): Runestone {
  const numbers = decodeVarints(pushedData(script));
  const edicts: Edict[] = [];
  let pointer: number | undefined;
  let at = 0;
  const next = (): bigint => {
    const value = numbers[at];
    at += 1;
    if (value === undefined) throw refused('ends too early');
    return value;
  };
  while (at < numbers.length) {
    const tag = next();
    if (tag === POINTER && pointer === undefined) {
      pointer = Number(next());
      if (pointer >= outputs) throw refused('points beyond the outputs');
    } else if (tag === BODY) {
      let block = 0n;
      let index = 0n;
      while (at < numbers.length) {
        const [blocks, indexes, amount, output] = [next(), next(), next(), Number(next())];
        index = blocks === 0n ? index + indexes : indexes;
        block += blocks;
        if ((block === 0n && index > 0n) || block > 0xffff_ffff_ffff_ffffn || index > 0xffff_ffffn) {
          throw refused('names no rune');
        }
        if (output > outputs) throw refused('pays an output that does not exist');
        edicts.push({ runeId: `${block}:${index}`, amount, output });
      }
    } else {
      throw refused(`has the field ${tag}`);
    }
  }
  return { edicts, pointer };
}

/** The data that the script pushes after OP_RETURN OP_13. */
function pushedData(script: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  for (let at = 2; at < script.length; ) {
    const opcode = script[at] ?? 0;
    const [length, header] =
      opcode < OP_PUSHDATA1 ? [opcode, 1]
      : opcode === OP_PUSHDATA1 ? [script[at + 1] ?? Number.NaN, 2]
      : opcode === OP_PUSHDATA2 ? [(script[at + 1] ?? Number.NaN) + (script[at + 2] ?? Number.NaN) * 256, 3]
      : [Number.NaN, 1];
    const end = at + header + length;
    // Written so that NaN fails too.
    if (!(end <= script.length)) throw refused('contains an incomplete push');
    bytes.push(...script.subarray(at + header, end));
    at = end;
  }
  return Uint8Array.from(bytes);
}

/** Decodes LEB128 numbers of at most 128 bits each. */
function decodeVarints(bytes: Uint8Array): bigint[] {
  const numbers: bigint[] = [];
  let value = 0n;
  let shift = 0n;
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (shift > 133n || value >= 1n << 128n) throw refused('has a number that is too large');
    if (byte < 0x80) {
      numbers.push(value);
      value = 0n;
      shift = 0n;
    }
  }
  if (shift > 0n) throw refused('ends within a number');
  return numbers;
}

function refused(why: string) {
  return clientError('client.psbtRefused', `The runestone ${why}. The transaction was not signed.`);
}
