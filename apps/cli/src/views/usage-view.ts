import { dollars, nanoUsd, roundDollars } from '../terminal/amounts.ts';
import { bar, chart, computePercent, type Paint } from '../terminal/chart.ts';
import { printable } from '../terminal/output.ts';
import type { Schemas } from '../services/manager/manager.ts';
import type { OwnUsage } from '../services/manager/usage.ts';

/** The abilities of the terminal. */
export interface ScreenOptions {
  /** Width in columns. */
  readonly width: number;
  readonly colours: boolean;
}

const BAR = 20;
/** The widest chart, because a wider one is harder to read. */
const WIDEST = 100;

const painted =
  (code: number, colours: boolean): Paint =>
  (text) =>
    colours && text !== '' ? `\u001B[${code}m${text}\u001B[39m` : text;

/** The owner of a budget cell, for a person. */
const formatOwner = ({ scope, subject_id: id, on_default: byDefault }: Cell, groups: OwnUsage['groups']): string =>
  scope === 'user' ? (byDefault ? 'you (default)' : 'you') : printable(groups[id] ?? id);

type Cell = Schemas['OwnBudgetCell'];

/** The caller's budgets with a bar each, and a chart of the days. */
export function usageOnScreen(
  { summary, spend, groups }: OwnUsage,
  model: string | undefined,
  screen: ScreenOptions,
): string[] {
  return [...budgetLines(summary.budgets, groups, screen), '', ...spendLines(spend, model, screen)];
}

function budgetLines(cells: readonly Cell[], groups: OwnUsage['groups'], { width, colours }: ScreenOptions): string[] {
  if (cells.length === 0) return ['You have no budget.'];
  const owners = cells.map((cell) => shorten(formatOwner(cell, groups), Math.max(10, Math.floor(width / 4))));
  const column = Math.max(...owners.map((owner) => owner.length));
  const bars = Math.max(5, Math.min(BAR, width - column - 45));
  return cells.flatMap((cell, at) => {
    const [used, limit] = [nanoUsd(cell.used_usd), nanoUsd(cell.limit_usd)];
    const name = `${(owners[at] ?? '').padEnd(column)}  ${printable(cell.period).padEnd(5)}`;
    if (used === undefined || limit === undefined) return [printable(`${name}  ${cell.used_usd} of ${cell.limit_usd}`)];
    const percent = computePercent(used, limit);
    const paint = painted(percent >= 100 ? 31 : percent >= 80 ? 33 : 32, colours);
    const mine = nanoUsd(cell.my_contribution_usd ?? '');
    const [remaining, reserved] = [nanoUsd(cell.remaining_usd), nanoUsd(cell.reserved_usd)];
    const spent = [cents(used), `of ${cents(limit)}`];
    const details = [
      // The longest amounts do not fit into one line of the narrowest terminal.
      ...(spent.join(' ').length <= width - 4 ? [spent.join(' ')] : spent),
      ...(mine ? [`${cents(mine)} of it used by you`] : []),
      ...(remaining === undefined ? [] : [`${cents(remaining)} remaining`]),
      ...(reserved === undefined ? [] : [`${cents(reserved)} reserved`]),
      `until ${printable(cell.period_end.slice(0, 10))}`,
    ];
    const head = `${name}  ${paint(bar(used, limit, bars))} ${(percent > 999 ? '>999 %' : `${percent} %`).padStart(6)}`;
    const inOneLine = details.join(', ');
    if (column + bars + 18 + inOneLine.length <= width) return [`${head}  ${inOneLine}`];
    const indent = width < 70 ? 4 : column + 9;
    return [head, ...fillLines(details, ', ', width - indent).map((line) => ' '.repeat(indent) + line)];
  });
}

function spendLines(spend: OwnUsage['spend'], model: string | undefined, { width, colours }: ScreenOptions): string[] {
  const days = spend.buckets.map(({ date, usd }) => ({ date: printable(date), nano: nanoUsd(usd) ?? 0n }));
  const total = days.reduce((sum, { nano }) => sum + nano, 0n);
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  const window = first === undefined ? 'no day' : first === last ? first : `${first} to ${last}`;
  const of = model === undefined ? '' : ` for ${printable(model)}`;
  const spent = total === 0n ? `Nothing spent${of},` : `Spent ${cents(total)}${of},`;
  const title = fillLines([spent, `${window} (${printable(spend.time_zone)})`], ' ', width);
  return total === 0n ? title : [...title, ...chart(days, Math.min(width, WIDEST), painted(36, colours))];
}

/** Rounds to cents. A small amount is not shown as zero. */
const cents = (nano: bigint): string => (nano === 0n ? '$0.00' : roundDollars(nano));

/** Joins parts into as few lines as possible, in their order. */
function fillLines(parts: readonly string[], between: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + between.length + part.length <= width)
      lines[lines.length - 1] = last + between + part;
    else lines.push(part);
  }
  return lines;
}

/** The same for programs and files: one line for each budget and for each day. */
export function usageAsText({ summary, spend, groups }: OwnUsage): string[] {
  const lines = summary.budgets.map((cell) =>
    [
      'budget',
      formatOwner(cell, groups),
      printable(cell.period),
      `used ${dollars(cell.used_usd)} of ${dollars(cell.limit_usd)}`,
      `remaining ${dollars(cell.remaining_usd)}`,
      `reserved ${dollars(cell.reserved_usd)}`,
      ...(cell.my_contribution_usd === undefined ? [] : [`own part ${dollars(cell.my_contribution_usd)}`]),
      `until ${printable(cell.period_end.slice(0, 10))}`,
    ].join('  '),
  );
  return [...lines, ...spend.buckets.map(({ date, usd }) => `spent  ${printable(date)}  ${dollars(usd)}`)].map(
    printable,
  );
}

const shorten = (text: string, width: number): string => {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
};
