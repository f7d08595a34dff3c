/** A span of a request's trace, as the local world's collector has it. */
export interface TraceSpan {
  id: string;
  parent?: string;
  name: string;
  /** In microseconds since the epoch. */
  begunUs: number;
  tookUs: number;
  failed: boolean;
  attributes: Record<string, string | number>;
}

export interface Trace {
  id: string;
  spans: TraceSpan[];
}

/** A line of a waterfall. */
export interface Bar {
  id: string;
  name: string;
  /** How many spans it is within. */
  depth: number;
  /** Where it begins and how long it is, in percent of the whole. */
  left: number;
  width: number;
  tookUs: number;
  failed: boolean;
  /** What it asked for and consumed, in words. */
  notes: string[];
}

/** A bar that would be thinner could not be seen. */
const THINNEST = 0.5;

function notesOf({ attributes }: TraceSpan): string[] {
  const units = attributes['aws.dynamodb.consumed_units'];
  const rows = attributes['runeport.rows'];
  const resent = attributes['http.request.resend_count'];
  const status = attributes['http.response.status_code'];
  const dropped = attributes['runeport.dropped_spans'];
  return [
    attributes['aws.dynamodb.table_names'],
    rows !== undefined && `${rows} ${rows === 1 ? 'row' : 'rows'}`,
    units !== undefined && `${units} ${units === 1 ? 'unit' : 'units'}`,
    resent !== undefined && `sent again ${resent}×`,
    typeof status === 'number' && status >= 300 && status,
    attributes['error.type'],
    dropped !== undefined && `${dropped} more not shown`,
  ].filter((note) => note !== undefined && note !== false).map(String);
}

/** The lines of a trace: each span under the one that it is a part of, in the order in which they began. */
export function barsOf({ spans }: Trace): Bar[] {
  const begun = Math.min(...spans.map((span) => span.begunUs));
  const whole = Math.max(1, ...spans.map((span) => span.begunUs + span.tookUs - begun));
  const known = new Set(spans.map(({ id }) => id));
  const parts = new Map<string | undefined, TraceSpan[]>();
  for (const span of [...spans].sort((one, other) => one.begunUs - other.begunUs)) {
    // The parent of the first span may belong to another service.
    const parent = span.parent !== undefined && known.has(span.parent) ? span.parent : undefined;
    parts.set(parent, [...(parts.get(parent) ?? []), span]);
  }
  const under = (parent: string | undefined, depth: number): Bar[] =>
    (parts.get(parent) ?? []).flatMap((span) => {
      const width = Math.max(THINNEST, (100 * span.tookUs) / whole);
      const left = Math.min(100 - width, (100 * (span.begunUs - begun)) / whole);
      const { id, name, tookUs, failed } = span;
      return [{ id, name, depth, left, width, tookUs, failed, notes: notesOf(span) }, ...under(id, depth + 1)];
    });
  return under(undefined, 0);
}

/** A time in the unit that suits it. */
export function spanTime(us: number): string {
  if (us < 1000) return `${us} µs`;
  return us < 1_000_000 ? `${(us / 1000).toFixed(us < 10_000 ? 1 : 0)} ms` : `${(us / 1_000_000).toFixed(1)} s`;
}
