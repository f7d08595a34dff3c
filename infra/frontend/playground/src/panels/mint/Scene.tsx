import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { count, plural } from '../../lib/format.ts';
import { type Bid, type Mint, type Picture, requests, type Share } from './model.ts';

/** A square in the picture: one or more requests of one bid. */
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

/** Computes all positions. A square keeps its key when its place changes, so that it moves there visibly. */
function draw(mint: Mint, picture: Picture, mine: string | undefined, width: number, takenOrder: Map<string, number>): Drawn & { unit: number } {
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
  const keyOf = (bid: Bid, index: number) => `${bid.origin}#${index}`;

  const rows = (shares: readonly Share[], place: Square['place'], top: number): number => {
    let y = top;
    for (const { bid, count: requestCount, from } of shares) {
      const own = bid.owner === mine;
      const first = inSquares(from);
      const many = Math.max(1, inSquares(from + requestCount) - first);
      labels.push({
        key: `${bid.origin}@${place}`, x: PAD, y: y + size / 2, text: count(bid.price), note: own ? 'you' : undefined,
      });
      for (let index = 0; index < many; index += 1) {
        squares.push({
          key: keyOf(bid, first + index),
          x: PAD + PRICE_WIDTH + (index % columns) * pitch,
          y: y + Math.floor(index / columns) * pitch,
          mine: own, place, order: order++,
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
      boxes.push({ key: 'behind', x: 0, y: top, width: leftWidth, height: end - ROW_GAP + PAD - top, title: full ? 'Came too late' : 'Behind the next block', note: plural(requests(picture.behind), 'request'), kind: 'behind' });
      y = end - ROW_GAP + PAD;
    }
  } else {
    const top = wide ? 0 : y + 12;
    const many = requests(picture.untaken);
    const end = many > 0 ? rows(picture.untaken, 'untaken', top + HEAD) - ROW_GAP + PAD : top + HEAD + 10;
    const [title, note] = many > 0 ? ['Not taken', plural(many, 'request')] : ['The queue is empty', 'the mint has ended'];
    boxes.push({ key: 'untaken', x: 0, y: top, width: leftWidth, height: end - top, title, note, kind: 'behind' });
    y = end;
  }

  // In the mint, squares are in the order in which this page saw them taken.
  const mintX = wide ? leftWidth + gap : 0;
  const taken = picture.bids.flatMap((bid) =>
    Array.from({ length: inSquares(bid.taken) }, (_, index) => ({ key: keyOf(bid, index), mine: bid.owner === mine })));
  const known = new Set(taken.map(({ key }) => key));
  for (const key of [...takenOrder.keys()]) if (!known.has(key)) takenOrder.delete(key);
  for (const { key } of taken) if (!takenOrder.has(key)) takenOrder.set(key, (Math.max(-1, ...takenOrder.values())) + 1);
  const inOrder = taken.sort((a, b) => (takenOrder.get(a.key) ?? 0) - (takenOrder.get(b.key) ?? 0));
  const at = (index: number) => ({
    x: mintX + PAD + (index % mintColumns) * pitch,
    y: mintY + HEAD + Math.floor(index / mintColumns) * pitch,
  });
  inOrder.slice(0, total).forEach(({ key, mine: own }, index) => {
    squares.push({ key, ...at(index), mine: own, place: 'taken', order: order++ });
  });
  for (let index = 0; index < total; index += 1) holes.push({ key: `mint${index}`, ...at(index) });
  boxes.push({ key: 'mint', x: mintX, y: mintY, width: wide ? mintWidth : width, height: mintHeight, title: 'The mint', note: `${count(picture.left)} left`, kind: 'mint' });
  return { width, height: Math.max(y, mintY + mintHeight), size, squares, labels, holes, boxes, unit };
}

function spoken(mint: Mint, picture: Picture): string {
  const taken = `${count(picture.taken)} of ${plural(mint.totalRequests, 'request')} taken, ${count(picture.left)} left.`;
  if (mint.closed) return `The mint has ended: ${taken} ${plural(requests(picture.untaken), 'request')} not taken.`;
  if (picture.left === 0) return `All ${plural(mint.totalRequests, 'request')} are taken. ${plural(requests(picture.behind), 'request')} came too late.`;
  const prices = picture.next.map(({ bid }) => bid.price);
  const next = prices.length === 0
    ? 'No requests wait for the next virtual block.'
    : `The next virtual block takes ${plural(requests(picture.next), 'request')}, at ${count(Math.max(...prices))} to ${count(Math.min(...prices))} sats.`;
  return `${taken} ${next} ${plural(requests(picture.behind), 'request')} behind it.`;
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
export function Scene({ mint, picture, mine }: { mint: Mint; picture: Picture; mine: string | undefined }) {
  const [ref, width] = useWidth();
  const takenOrder = useRef(new Map<string, number>());
  const drawn = useMemo(
    () => (width === 0 ? undefined : draw(mint, picture, mine, width, takenOrder.current)),
    [mint, picture, mine, width],
  );
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
        {mine !== undefined && <li><i data-mine="true" data-place="next" /> yours</li>}
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
