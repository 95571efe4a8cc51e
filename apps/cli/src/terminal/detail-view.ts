import { printable } from './output.ts';
import { isRawNumber } from '../json/exact-json.ts';

/** One row of a detail view: a name with a text beside it, or with lines below it. */
interface Row {
  readonly name: string;
  readonly text?: string;
  readonly lines?: readonly string[];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

/** A value in one line. A value without a shorter form is JSON. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null || isRawNumber(item)))
    return value.length === 0 ? '-' : value.map(formatValue).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Objects as a table without borders, with a column for each field of any of them. */
function tableLines(items: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const rows = [
    names.map((name) => name.toUpperCase()),
    ...items.map((item) => names.map((name) => formatValue(item[name]))),
  ];
  const shown = rows.map((row) => row.map(printable));
  const widths = names.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  return shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function createRows(value: object, prefix: string): Row[] {
  return Object.entries(value).flatMap(([key, field]: [string, unknown]): Row[] => {
    const name = `${prefix}${key}`;
    if (field === undefined) return [];
    if (isObject(field) && Object.keys(field).length > 0) return createRows(field, `${name}.`);
    if (isObject(field)) return [{ name, text: '-' }];
    if (Array.isArray(field) && field.length > 0 && field.every(isObject)) return [{ name, lines: tableLines(field) }];
    if (typeof field === 'string' && field.trimEnd().includes('\n'))
      return [{ name, lines: field.trimEnd().split('\n').map(printable) }];
    return [{ name, text: printable(formatValue(typeof field === 'string' ? field.trimEnd() : field)) }];
  });
}

/**
 * One object as a table for a person: a row for each field, with `a.b` for a nested field. A text
 * of several lines (a Cedar document) and a list of objects are indented below their name. The
 * result is safe for a terminal.
 */
export function detailLines(value: object): string[] {
  const rows = createRows(value, '');
  const width = Math.max(0, ...rows.map(({ name, lines }) => (lines ? 0 : name.length)));
  return rows.flatMap(({ name, text = '', lines }) =>
    lines
      ? [printable(name), ...lines.map((line) => `  ${line}`.trimEnd())]
      : [`${printable(name).padEnd(width)}  ${text}`],
  );
}
