/**
 * Counts the occurrences of a header that may occur once. Node's `headers` keep only the first
 * one; a proxy may keep the last.
 */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? '';
    if (header.length === name.length && header.toLowerCase() === name) times += 1;
  }
  return times;
}
