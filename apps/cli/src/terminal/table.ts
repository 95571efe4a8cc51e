import { styleText } from 'node:util';
import Table from 'cli-table3';

/** The last column has texts for people when a cell has this number of words. Others stay whole. */
const TEXT_WORDS = 4;
/** A narrower text is below its row instead of beside it. */
const MIN_TEXT_WIDTH = 24;
const GAP = 2;

const getTerminalWidth = (): number | undefined => (process.stdout.isTTY ? process.stdout.columns : undefined);

/** The fit of a table into a terminal. */
interface TableFit {
  /** Columns of the terminal; undefined: no limit. Default: those of stdout. */
  readonly width?: number | undefined;
  /** The heads of columns that a narrow terminal leaves out, the first ones first. */
  readonly spare?: readonly string[];
}

/**
 * A plain table: a bold head on a terminal, two spaces between columns, no borders. It is as wide
 * as its content. On a narrower terminal, spare columns are left out, and the texts of the last
 * column have several lines.
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  colours: boolean,
  { width = getTerminalWidth(), spare = [] }: TableFit = {},
): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const textWidth = widths.at(-1) ?? 0;
  const others = widths.slice(0, -1).reduce((sum, cell) => sum + cell + GAP, 0);
  if (width === undefined || others + textWidth <= width) return drawTable(head, rows, colours);
  const [left = '', ...rest] = spare;
  const index = head.indexOf(left);
  if (index !== -1) {
    const keep = (row: readonly string[]) => row.filter((_, column) => column !== index);
    return formatTable(keep(head), rows.map(keep), colours, { width, spare: rest });
  }
  return drawNarrowTable(head, rows, colours, width - others, width);
}

/** @param textWidth the space of the last column */
function drawNarrowTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  colours: boolean,
  textWidth: number,
  width: number,
): string {
  const isText = rows.some((row) => (row.at(-1) ?? '').split(' ').length >= TEXT_WORDS);
  if (!isText) return drawTable(head, rows, colours);
  if (textWidth >= MIN_TEXT_WIDTH) return drawTable(head, rows, colours, textWidth);
  const withoutText = (row: readonly string[]) => row.slice(0, -1);
  const lines = drawTable(withoutText(head), rows.map(withoutText), colours).split('\n');
  return lines
    .flatMap((line, index) => [line, ...(index === 0 ? [] : wrapText(rows[index - 1]?.at(-1) ?? '', width - GAP))])
    .join('\n');
}

/** Breaks a text into indented lines, at its blanks. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `${' '.repeat(GAP)}${line}`);
}

/** @param textWidth width of the last column; undefined: that of its content */
function drawTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  colours: boolean,
  textWidth?: number,
): string {
  const none = '';
  const table = new Table({
    head: [...head],
    ...(textWidth !== undefined && {
      colWidths: [...head.slice(1).map(() => null), textWidth],
      wordWrap: true,
      wrapOnWordBoundary: true,
    }),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
    chars: {
      top: none,
      'top-mid': none,
      'top-left': none,
      'top-right': none,
      bottom: none,
      'bottom-mid': none,
      'bottom-left': none,
      'bottom-right': none,
      left: none,
      'left-mid': none,
      mid: none,
      'mid-mid': none,
      right: none,
      'right-mid': none,
      middle: none,
    },
  });
  for (const row of rows) table.push([...row]);
  const [first = '', ...lines] = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  // The caller has decided about colours; the environment does not decide again.
  return [colours ? styleText('bold', first, { validateStream: false }) : first, ...lines].join('\n');
}
