/** Whether a JSON value is nested deeper than `maxDepth`. Level by level, without recursion: the deepest value costs no stack. */
export function isDeeperThan(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((item): unknown[] => (item !== null && typeof item === 'object' ? Object.values(item) : []));
  }
  return false;
}
