import { hex } from '@scure/base';

import { Problem } from './problem.js';

/** Confirmations after which the user's key alone can spend a coin. Every trading wallet has this delay. */
export const DELAY = 12_960;

/** The keys in the script of a trading wallet. */
export interface Keys {
  /** Hex of 33 bytes, in the order in which the script checks them. The user has one of them. */
  readonly user: readonly string[];
  /** Hex of 33 bytes. */
  readonly platform: string;
}

const KEY = '(0[23][0-9a-f]{64})';
const PLAIN = new RegExp(`^wsh\\(and_v\\(v:pk\\(${KEY}\\),or_d\\(pk\\(${KEY}\\),older\\(${DELAY}\\)\\)\\)\\)$`);
const EITHER = new RegExp(
  `^wsh\\(and_v\\(or_c\\(pk\\(${KEY}\\),v:pk\\(${KEY}\\)\\),or_d\\(pk\\(${KEY}\\),older\\(${DELAY}\\)\\)\\)\\)$`,
);

/**
 * Reads the descriptor of a trading wallet, in either of its two forms.
 *
 * @param text With or without its checksum. A checksum must be right.
 * @throws {@link Problem}
 */
export function readDescriptor(text: string): Keys {
  const [descriptor = '', checksum] = text.trim().split('#');
  if (checksum !== undefined && checksum !== checksumOf(descriptor)) {
    throw new Problem('The descriptor has a typing mistake: its checksum is wrong. Copy it again, completely.');
  }
  const [, user, platform] = PLAIN.exec(descriptor) ?? [];
  if (user !== undefined && platform !== undefined) return { user: [user], platform };
  const [, even, odd, other] = EITHER.exec(descriptor) ?? [];
  if (even !== undefined && odd !== undefined && other !== undefined && even === `02${odd.slice(2)}` && odd.startsWith('03')) {
    return { user: [even, odd], platform: other };
  }
  throw new Problem('This is not the descriptor of a Runeport trading wallet.');
}

/** The script that locks the coins, which is revealed when they are spent. */
export function witnessScriptOf({ user, platform }: Keys): Uint8Array {
  const [first = '', second] = user;
  // <FIRST> CHECKSIGVERIFY, or <EVEN> CHECKSIG NOTIF <ODD> CHECKSIGVERIFY ENDIF
  const own = second === undefined ? `21${first}ad` : `21${first}ac6421${second}ad68`;
  // <PLATFORM> CHECKSIG IFDUP NOTIF <12960> CHECKSEQUENCEVERIFY ENDIF
  return hex.decode(`${own}21${platform}ac736402a032b268`);
}

// The checksum of BIP 380.
const CHARACTERS = '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const DIGITS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];

/** The checksum of a descriptor. */
export function checksumOf(descriptor: string): string {
  let state = 1n;
  const add = (symbol: number) => {
    const top = state >> 35n;
    state = ((state & 0x7ffffffffn) << 5n) ^ BigInt(symbol);
    GENERATOR.forEach((value, bit) => {
      if ((top >> BigInt(bit)) & 1n) state ^= value;
    });
  };
  let group: number[] = [];
  for (const character of descriptor) {
    const place = CHARACTERS.indexOf(character);
    if (place < 0) throw new Problem('The descriptor contains a character that no descriptor has.');
    add(place & 31);
    group.push(place >> 5);
    if (group.length === 3) {
      add(group.reduce((sum, value) => sum * 3 + value, 0));
      group = [];
    }
  }
  if (group.length > 0) add(group.reduce((sum, value) => sum * 3 + value, 0));
  for (let digit = 0; digit < 8; digit += 1) add(0);
  state ^= 1n;
  return [...Array(8).keys()].map((place) => DIGITS[Number((state >> BigInt(5 * (7 - place))) & 31n)]).join('');
}
