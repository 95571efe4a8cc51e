/**
 * Reads the distribution column of each table from docs/scale.md; undefined for a table that every
 * node has as a copy.
 */
export function readDistributionColumns(document: string): Map<string, string | undefined> {
  const table = /<!-- spread -->(.*)<!-- \/spread -->/s.exec(document)?.[1] ?? '';
  const rows = [...table.matchAll(/^\| `(\w+)` +\| (?:`(\w+)`|a copy each) +\|/gm)];
  return new Map(rows.map(([, name = '', column]) => [name, column]));
}
