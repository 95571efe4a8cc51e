/**
 * How often a request gives a header that may come once. Node's `headers` silently keep the first
 * of them; another server on the way may keep the last.
 */
export function timesGiven(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) times += 1;
  }
  return times;
}
