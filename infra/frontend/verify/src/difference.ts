/** The first place where the chain, the rules and the service part. */
export class Difference extends Error {
  override readonly name = 'Difference';

  /**
   * @param txid The transaction; missing if it is about a whole block or the end of the mint.
   * @param height The height of its block; missing if no block has it.
   */
  constructor(
    readonly txid: string | undefined,
    readonly height: number | undefined,
    readonly expected: string,
    readonly found: string,
  ) {
    super(`${placeOf(txid, height)}: expected ${expected}; found ${found}.`);
  }
}

function placeOf(txid: string | undefined, height: number | undefined): string {
  const block = height === undefined ? 'no block' : `block ${height}`;
  return txid === undefined ? `In ${block}` : `In transaction ${txid} (${block})`;
}
