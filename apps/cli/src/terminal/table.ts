import Table from 'cli-table3';

/**
 * A plain table: a bold head on a terminal, two spaces between columns, no borders, as wide as its
 * content.
 */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[], colours: boolean): string {
  const none = '';
  const table = new Table({
    head: [...head],
    style: { head: colours ? ['bold'] : [], border: [], 'padding-left': 0, 'padding-right': 2 },
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
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
