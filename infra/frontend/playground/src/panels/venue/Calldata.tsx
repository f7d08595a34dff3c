import { Value } from '../../components/index.ts';

const WORD = 64;

/** Shows the bytes of a contract call: the function selector, then the arguments of 32 bytes each. */
export function Calldata({ data, signature, words }: {
  data: string;
  signature: string;
  /** The name and meaning of each argument. */
  words: readonly { name: string; says: string }[];
}) {
  const bytes = data.slice(2);
  return (
    <div class="calldata">
      <div class="calldata-row" data-part="selector">
        <code>0x{bytes.slice(0, 8)}</code>
        <span>calls <code>{signature}</code></span>
      </div>
      {words.map(({ name, says }, index) => {
        const word = bytes.slice(8 + index * WORD, 8 + (index + 1) * WORD);
        const zeros = /^0*/.exec(word)?.[0].length ?? 0;
        return (
          <div class="calldata-row" key={name}>
            <code><span class="calldata-zeros">{word.slice(0, zeros)}</span>{word.slice(zeros)}</code>
            <span><strong>{name}</strong> {says}</span>
          </div>
        );
      })}
      <div class="row small muted">All {bytes.length / 2} bytes <Value text={data} ends={12} label={`Copy calldata of ${signature}`} /></div>
    </div>
  );
}
