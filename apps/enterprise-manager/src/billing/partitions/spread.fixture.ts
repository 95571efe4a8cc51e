/**
 * Which column each table is spread by, as the table in docs/scale.md says; undefined for those of
 * which every node has a copy.
 */
export function spreadOf(document: string): Map<string, string | undefined> {
  const table = /<!-- spread -->(.*)<!-- \/spread -->/s.exec(document)?.[1] ?? '';
  const rows = [...table.matchAll(/^\| `(\w+)` +\| (?:`(\w+)`|a copy each) +\|/gm)];
  return new Map(rows.map(([, name = '', column]) => [name, column]));
}
