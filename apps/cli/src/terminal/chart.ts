import { roundDollars } from './amounts.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
const RISING = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** The height of a chart in rows. */
const HEIGHT = 8;

/** The data of a chart: an amount, in nano-dollars, for each day. */
export interface ChartDay {
  readonly date: string;
  readonly nano: bigint;
}

/** Highlights a text, if the terminal shows colours. */
export type Paint = (text: string) => string;

/**
 * `used / limit` as a bar of a width. Any amount above zero is visible; the bar is full only when
 * the limit is used up.
 */
export function bar(used: bigint, limit: bigint, width: number): string {
  const whole = BigInt(width * 8);
  const full = used >= limit;
  const filled = full ? whole : clamp((used * whole) / limit, used > 0n ? 1n : 0n, whole - 1n);
  const blocks = '█'.repeat(Number(filled / 8n)) + (EIGHTHS[Number(filled % 8n)] ?? '');
  return blocks.padEnd(width, '░');
}

/**
 * The used part of a limit in whole percent: 100 only when it is used up. A limit of zero is always
 * used up.
 */
export function computePercent(used: bigint, limit: bigint): number {
  if (used >= limit) return limit === 0n ? 100 : Number((used * 100n) / limit);
  return Number(clamp((used * 100n) / limit, used > 0n ? 1n : 0n, 99n));
}

/**
 * A chart with a column for each day, a scale on the left and dates below. When there are more days
 * than columns, adjacent days share a column.
 */
export function chart(days: readonly ChartDay[], width: number, paint: Paint): string[] {
  const { labels, labelWidth, columns, stretch } = computeLayout(days, width);
  const top = most(columns);
  const heights = columns.map((nano) => computeHeight(nano, top));
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const floor = (HEIGHT - 1 - row) * 8;
    const cells = heights.map((height) => {
      const block = RISING[Math.max(0, Math.min(8, height - floor))] ?? ' ';
      return stretch === 1 ? block : block.repeat(stretch - 1) + ' ';
    });
    const label = row === 0 ? labels.top : row === HEIGHT / 2 ? labels.middle : '';
    return `${label.padStart(labelWidth)} ${label === '' ? '│' : '┤'}${paint(cells.join('').trimEnd())}`;
  });
  const axis = `${NOTHING.padStart(labelWidth)} └${'─'.repeat(Math.max(1, columns.length * stretch))}`;
  return [...rows.map((row) => row.trimEnd()), axis, ...datesBelow(days, columns.length * stretch, labelWidth)];
}

const NOTHING = '$0';
const most = (values: readonly bigint[]): bigint => values.reduce((a, b) => (b > a ? b : a), 0n);

/**
 * Computes the layout. The width of the labels depends on the days in each column, which depend on
 * the width of the labels, so the labels are widened until they fit.
 */
function computeLayout(days: readonly ChartDay[], width: number) {
  for (let labelWidth = NOTHING.length; ;) {
    const room = Math.max(1, width - labelWidth - 3);
    const share = Math.ceil(days.length / room);
    const columns = Array.from({ length: Math.ceil(days.length / share) }, (_, at) =>
      days.slice(at * share, (at + 1) * share).reduce((sum, { nano }) => sum + nano, 0n),
    );
    const stretch = Math.max(1, Math.min(3, Math.floor(room / Math.max(1, columns.length))));
    const top = most(columns);
    // Half of an amount may have more digits than the amount.
    const labels = { top: roundDollars(top), middle: roundDollars(top / 2n) };
    const widest = Math.max(labels.top.length, labels.middle.length);
    if (widest <= labelWidth) return { labels, labelWidth, columns, stretch };
    labelWidth = widest;
  }
}

function datesBelow(days: readonly ChartDay[], length: number, labelWidth: number): string[] {
  const [first, last] = [days[0]?.date.slice(5), days.at(-1)?.date.slice(5)];
  if (first === undefined || last === undefined) return [];
  const between = length - first.length - last.length;
  const text = between < 1 || days.length === 1 ? first : `${first}${' '.repeat(between)}${last}`;
  return [`${' '.repeat(labelWidth + 2)}${text}`];
}

/** The height of a column in eighths of a row. Any amount above zero is visible. */
function computeHeight(nano: bigint, top: bigint): number {
  if (nano === 0n || top === 0n) return 0;
  return Number(clamp((nano * BigInt(HEIGHT * 8)) / top, 1n, BigInt(HEIGHT * 8)));
}

const clamp = (value: bigint, least: bigint, greatest: bigint): bigint =>
  value < least ? least : value > greatest ? greatest : value;
