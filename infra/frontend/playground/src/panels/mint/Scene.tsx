import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { count, plural } from '../../lib/format.ts';
import { type Level, type Mint, type Picture, requests } from './model.ts';

/** A square in the picture: one or more requests at one price. */
interface Square {
  key: string;
  x: number;
  y: number;
  mine: boolean;
  place: 'next' | 'behind' | 'taken' | 'untaken';
  order: number;
}

interface Label {
  key: string;
  x: number;
  y: number;
  text: string;
  note?: string;
  end?: boolean;
}

interface Drawn {
  width: number;
  height: number;
  size: number;
  squares: Square[];
  labels: Label[];
  /** Free places. */
  holes: { key: string; x: number; y: number }[];
  boxes: { key: string; x: number; y: number; width: number; height: number; title: string; note: string; kind: 'next' | 'behind' | 'mint' }[];
}

const PRICE_WIDTH = 58;
const HEAD = 38;
const PAD = 14;
const ROW_GAP = 7;
/** More squares would be hard to read. For more requests than this, one square represents several. */
const MOST_SQUARES = 150;

function pitchFor(squares: number, width: number): number {
  const roomy = width >= 560;
  if (squares <= 60) return roomy ? 23 : 19;
  return squares <= 110 ? (roomy ? 18 : 15) : (roomy ? 14 : 12);
}

/** A square that the page has drawn. */
interface Seen {
  key: string;
  /** Undefined if it was taken before the page drew it. */
  price: number | undefined;
  mine: boolean;
}

/** What the page has drawn of a mint: the service tells how many requests are taken, and not which. */
interface Memory {
  unit: number;
  taken: Seen[];
  /** In the order in which blocks take them. */
  waiting: Seen[];
}

/** Follows the number of taken squares: the first ones that waited have moved into the mint. */
function follow(memory: Memory | undefined, unit: number, taken: number, mineTaken: number): Memory {
  const next: Memory = memory?.unit === unit ? memory : { unit, taken: [], waiting: [] };
  next.taken.length = Math.min(next.taken.length, taken);
  while (next.taken.length < taken) {
    next.taken.push(next.waiting.shift() ?? { key: `earlier#${next.taken.length}`, price: undefined, mine: false });
  }
  let flagged = next.taken.filter(({ mine }) => mine).length;
  for (const seen of [...next.taken].reverse()) {
    if (flagged === mineTaken) break;
    if (seen.mine === (flagged > mineTaken)) {
      seen.mine = !seen.mine;
      flagged += seen.mine ? 1 : -1;
    }
  }
  return next;
}

/** Computes all positions. A square keeps its key when its place changes, so that it moves there visibly. */
function draw(mint: Mint, picture: Picture, width: number, seen: { current: Memory | undefined }): Drawn & { unit: number } {
  const waiting = requests(picture.next) + requests(picture.behind) + requests(picture.untaken);
  const unit = Math.max(1, Math.ceil(Math.max(mint.totalRequests, waiting) / MOST_SQUARES));
  const inSquares = (requestCount: number) => Math.ceil(requestCount / unit);
  const total = inSquares(mint.totalRequests);
  const pitch = pitchFor(Math.max(total, inSquares(waiting)), width);
  const size = pitch - 3;
  const wide = width >= 560;
  const mintColumns = Math.max(1, Math.min(inSquares(mint.requestsPerBlock), Math.floor(((wide ? width * 0.46 : width) - 2 * PAD) / pitch)));
  const mintWidth = wide ? Math.max(mintColumns * pitch - 3 + 2 * PAD, 190) : width;
  const gap = wide ? 44 : 30;
  const leftWidth = wide ? width - mintWidth - gap : width;

  const squares: Square[] = [];
  const labels: Label[] = [];
  const holes: Drawn['holes'] = [];
  const boxes: Drawn['boxes'] = [];
  const columns = Math.max(1, Math.floor((leftWidth - 2 * PAD - PRICE_WIDTH + 3) / pitch));
  let order = 0;
  const memory = follow(seen.current, unit, inSquares(picture.taken), inSquares(picture.mineTaken));
  seen.current = memory;
  memory.waiting = [];
  const used = new Map<number, number>();
  for (const { price } of memory.taken) if (price !== undefined) used.set(price, (used.get(price) ?? 0) + 1);

  const rows = (levels: readonly Level[], place: Square['place'], top: number): number => {
    let y = top;
    for (const { price, count: requestCount, mine } of levels) {
      const many = inSquares(requestCount);
      labels.push({
        key: `${price}@${place}`, x: PAD, y: y + size / 2, text: count(price), note: mine > 0 ? 'you' : undefined,
      });
      for (let index = 0; index < many; index += 1) {
        const number = used.get(price) ?? 0;
        used.set(price, number + 1);
        const square: Seen = { key: `${price}#${number}`, price, mine: index < inSquares(mine) };
        memory.waiting.push(square);
        squares.push({
          key: square.key,
          x: PAD + PRICE_WIDTH + (index % columns) * pitch,
          y: y + Math.floor(index / columns) * pitch,
          mine: square.mine, place, order: order++,
        });
      }
      y += Math.ceil(many / columns) * pitch - 3 + ROW_GAP;
    }
    return y;
  };

  const mintHeight = HEAD + Math.ceil(total / mintColumns) * pitch - 3 + PAD;
  let y = 0;
  let mintY = 0;
  const full = !mint.closed && picture.left === 0;
  if (full) {
    boxes.push({ key: 'next', x: 0, y: 0, width: leftWidth, height: HEAD + 10, title: 'Every request is taken', note: 'final seven blocks later', kind: 'next' });
    y = HEAD + 10;
  } else if (!mint.closed) {
    const taking = requests(picture.next);
    let bottom = rows(picture.next, 'next', HEAD);
    const free = inSquares(picture.room) - squares.length;
    for (let index = 0; index < free; index += 1) {
      holes.push({ key: `free${index}`, x: PAD + PRICE_WIDTH + (index % columns) * pitch, y: bottom + Math.floor(index / columns) * pitch });
    }
    if (free > 0) bottom += Math.ceil(free / columns) * pitch - 3 + ROW_GAP;
    const height = bottom - ROW_GAP + PAD;
    boxes.push({ key: 'next', x: 0, y: 0, width: leftWidth, height, title: 'Next virtual block', note: `${count(taking)} of ${count(picture.room)}`, kind: 'next' });
    y = height;
  }
  // On a phone, the mint is below the next virtual block.
  if (!wide) {
    mintY = y === 0 ? 0 : y + gap;
    y = mintY + mintHeight;
  }
  if (!mint.closed) {
    if (picture.behind.length > 0) {
      const top = y + 12;
      const end = rows(picture.behind, 'behind', top + HEAD);
      boxes.push({ key: 'behind', x: 0, y: top, width: leftWidth, height: end - ROW_GAP + PAD - top, title: full ? 'Came too late' : 'Behind the next block', note: plural(waitsBehind(picture), 'request'), kind: 'behind' });
      y = end - ROW_GAP + PAD;
    }
  } else {
    const top = wide ? 0 : y + 12;
    const many = requests(picture.untaken) + picture.further;
    const end = many > 0 ? rows(picture.untaken, 'untaken', top + HEAD) - ROW_GAP + PAD : top + HEAD + 10;
    const [title, note] = many > 0 ? ['Not taken', plural(many, 'request')] : ['The queue is empty', 'the mint has ended'];
    boxes.push({ key: 'untaken', x: 0, y: top, width: leftWidth, height: end - top, title, note, kind: 'behind' });
    y = end;
  }

  // In the mint, squares are in the order in which this page saw them taken.
  const mintX = wide ? leftWidth + gap : 0;
  const at = (index: number) => ({
    x: mintX + PAD + (index % mintColumns) * pitch,
    y: mintY + HEAD + Math.floor(index / mintColumns) * pitch,
  });
  memory.taken.slice(0, total).forEach(({ key, mine }, index) => {
    squares.push({ key, ...at(index), mine, place: 'taken', order: order++ });
  });
  for (let index = 0; index < total; index += 1) holes.push({ key: `mint${index}`, ...at(index) });
  boxes.push({ key: 'mint', x: mintX, y: mintY, width: wide ? mintWidth : width, height: mintHeight, title: 'The mint', note: `${count(picture.left)} left`, kind: 'mint' });
  return { width, height: Math.max(y, mintY + mintHeight), size, squares, labels, holes, boxes, unit };
}

/** Requests that the next virtual block does not take, with those that are too many to draw. */
const waitsBehind = (picture: Picture): number => requests(picture.behind) + picture.further;

function spoken(mint: Mint, picture: Picture): string {
  const taken = `${count(picture.taken)} of ${plural(mint.totalRequests, 'request')} taken, ${count(picture.left)} left.`;
  if (mint.closed) return `The mint has ended: ${taken} ${plural(requests(picture.untaken) + picture.further, 'request')} not taken.`;
  if (picture.left === 0) return `All ${plural(mint.totalRequests, 'request')} are taken. ${plural(waitsBehind(picture), 'request')} came too late.`;
  const prices = picture.next.map(({ price }) => price);
  const next = prices.length === 0
    ? 'No requests wait for the next virtual block.'
    : `The next virtual block takes ${plural(requests(picture.next), 'request')}, at ${count(Math.max(...prices))} to ${count(Math.min(...prices))} sats.`;
  return `${taken} ${next} ${plural(waitsBehind(picture), 'request')} behind it.`;
}

function useWidth(): [ref: { current: HTMLDivElement | null }, width: number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/** The mempool by price, the next virtual block, and the mint that it fills. */
export function Scene({ mint, picture, signedIn }: { mint: Mint; picture: Picture; signedIn: boolean }) {
  const [ref, width] = useWidth();
  const seen = useRef<Memory | undefined>(undefined);
  const drawn = useMemo(() => (width === 0 ? undefined : draw(mint, picture, width, seen)), [mint, picture, width]);
  return (
    <div class="scene" ref={ref}>
      {drawn && (
        <svg
          role="img"
          aria-label={spoken(mint, picture)}
          width={drawn.width}
          height={drawn.height}
          viewBox={`0 0 ${drawn.width} ${drawn.height}`}
        >
          {drawn.boxes.map(({ key, x, y, width: boxWidth, height, title, note, kind }) => (
            <g key={key} class="scene-box" data-kind={kind} style={{ transform: `translate(${x}px, ${y}px)` }}>
              <rect width={boxWidth - 1} height={height - 1} x={0.5} y={0.5} rx={10} />
              <text x={PAD} y={25} class="scene-title">{title}</text>
              <text x={boxWidth - PAD} y={25} text-anchor="end" class="scene-note">{note}</text>
            </g>
          ))}
          <Arrow drawn={drawn} open={!mint.closed && picture.left > 0} />
          {drawn.holes.map(({ key, x, y }) => (
            <rect key={key} class="scene-hole" x={x + 0.5} y={y + 0.5} width={drawn.size - 1} height={drawn.size - 1} rx={3} />
          ))}
          {drawn.labels.map(({ key, x, y, text, note }) => (
            <g key={key} class="scene-label" style={{ transform: `translate(${x}px, ${y}px)` }}>
              <text y={note === undefined ? 4 : -1} class="scene-price">{text}</text>
              {note !== undefined && <text y={10} class="scene-you">{note}</text>}
            </g>
          ))}
          {drawn.squares.map(({ key, x, y, mine: own, place, order }) => (
            <g
              key={key}
              class="scene-square"
              data-mine={own}
              data-place={place}
              style={{ transform: `translate(${x}px, ${y}px)`, transitionDelay: `${Math.min(order * 14, 420)}ms` }}
            >
              <rect width={drawn.size} height={drawn.size} rx={3} />
              {own && <circle cx={drawn.size / 2} cy={drawn.size / 2} r={drawn.size / 6} />}
            </g>
          ))}
        </svg>
      )}
      <ul role="list" class="scene-legend">
        {signedIn && <li><i data-mine="true" data-place="next" /> yours</li>}
        <li><i data-place="next" /> others’</li>
        <li><i data-place="behind" /> must wait</li>
        <li><i data-place="free" /> free</li>
        <li class="scene-unit">
          {drawn && drawn.unit > 1 ? `A square is ${plural(drawn.unit, 'request')}.` : 'A square is a request. Its price in sats is on the left.'}
        </li>
      </ul>
    </div>
  );
}

/** The arrow from the next virtual block to the mint. */
function Arrow({ drawn, open }: { drawn: Drawn; open: boolean }) {
  const mint = drawn.boxes.find(({ key }) => key === 'mint');
  const next = drawn.boxes.find(({ key }) => key === 'next');
  if (!mint || !next || !open) return null;
  const across = mint.x > 0;
  const x = across ? next.width + 8 : drawn.width / 2;
  const y = across ? Math.min(next.height, mint.height) / 2 : mint.y - 25;
  return (
    <g class="scene-arrow" style={{ transform: `translate(${x}px, ${y}px) rotate(${across ? 0 : 90}deg)` }}>
      <path d="M0 0h20M14 -6l7 6l-7 6" />
    </g>
  );
}
