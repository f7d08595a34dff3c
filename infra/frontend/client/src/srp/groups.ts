/** The RFC 5054 groups that accounts can have, by their bits. */
export type Group = 2048 | 3072 | 4096;

/** The library also supports smaller groups, which an attacker who imitates the service could break. */
const GROUPS: readonly number[] = [2048, 3072, 4096] satisfies Group[];

/** Checks a value from the service, which its type does not guarantee. */
export function isGroup(bits: number): bits is Group {
  return GROUPS.includes(bits);
}
