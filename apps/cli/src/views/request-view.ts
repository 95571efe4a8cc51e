import type { RequestRecord } from '@gatehouse/proxy/recording/request-record';
import { printable } from '../terminal/output.ts';

/** The width of each column; `--follow` prints lines before the later ones are known. */
const COLUMNS: readonly (readonly [head: string, width: number])[] = [
  ['TIME', 12],
  ['CLIENT', 18],
  ['METHOD', 25],
  ['TOOL', 20],
  ['STATUS', 6],
  ['MS', 7],
  ['IN', 8],
  ['OUT', 8],
];

/** The heads of the columns. */
export const REQUEST_HEAD = formatLine(COLUMNS.map(([head]) => head));

/** One request in a line. The client wrote the names, so they are escaped. */
export function formatRequest(record: RequestRecord): string {
  const { at, client, user_agent: agent, http_method, method, target } = record;
  const name = client === undefined ? agent : `${client.name} ${client.version}`;
  const { status, duration_ms, request_bytes, response_bytes } = record;
  return formatLine([
    at.slice(11, 23),
    name ?? '-',
    method ?? http_method,
    target ?? '-',
    status === 0 ? 'left' : String(status),
    String(duration_ms),
    String(request_bytes),
    String(response_bytes),
  ]);
}

function formatLine(cells: readonly string[]): string {
  const shown = cells.map((cell, index) => printable(cell).padEnd(COLUMNS[index]?.[1] ?? 0));
  return shown.join('  ').trimEnd();
}
