import { findNameProblem } from '@gatehouse/secrets/references/secret-name';
import { flagError } from '../errors/workload-error.ts';
import type { HeaderForward } from './remote-sections.ts';

/** The flags of the headers of requests to a remote server, as typed. */
export interface ForwardHeadersFlags {
  /** `Name=Value`. */
  readonly remoteForwardHeaders?: readonly string[] | undefined;
  /** `Name=SECRET`. */
  readonly remoteForwardHeadersSecret?: readonly string[] | undefined;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers of the connection and of the proxy itself. */
const FORBIDDEN = new Set([
  ...['host', 'connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'http2-settings', 'proxy-authorization'],
  ...['proxy-authenticate', 'proxy-connection', 'transfer-encoding', 'content-length', 'forwarded'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'mcp-session-id'],
]);

/**
 * Parses the headers. The values of `--remote-forward-headers` are stored as secrets later.
 * @throws WorkloadError (usage) that names the flag, and no value
 */
export function parseForwardHeaders(flags: ForwardHeadersFlags): HeaderForward | undefined {
  const seen = new Set<string>();
  const plain = parseList('--remote-forward-headers', flags.remoteForwardHeaders, seen, (value) =>
    VALUE.test(value) ? undefined : 'has a value with characters that a header cannot have',
  );
  const secret = parseList('--remote-forward-headers-secret', flags.remoteForwardHeadersSecret, seen, (name) =>
    findNameProblem(name) === undefined ? undefined : 'is not in the form Header=SECRET, with the name of a secret',
  );
  if (seen.size === 0) return undefined;
  return {
    ...(Object.keys(plain).length > 0 && { add_plaintext_headers: plain }),
    ...(Object.keys(secret).length > 0 && { add_headers_from_secret: secret }),
  };
}

function parseList(
  flag: string,
  texts: readonly string[] = [],
  seen: Set<string>,
  findProblem: (value: string) => string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const text of texts) {
    const at = text.indexOf('=');
    const header = text.slice(0, Math.max(at, 0)).trim();
    const value = text.slice(at + 1);
    const form = flag.endsWith('-secret') ? 'Header=SECRET, with the name of a secret' : 'Header=Value';
    if (at < 0 || !TOKEN.test(header)) throw flagError(flag, `is not in the form ${form}`);
    const typed = `${flag} ${header}`;
    const problem = findProblem(value);
    if (problem !== undefined) throw flagError(typed, problem);
    if (FORBIDDEN.has(header.toLowerCase())) throw flagError(typed, 'names a header that the proxy sets itself');
    if (seen.has(header.toLowerCase())) throw flagError(typed, 'names a header twice');
    seen.add(header.toLowerCase());
    headers[header] = value;
  }
  return headers;
}

/** Whether a header is among those of the section. The case of names has no meaning. */
export const setsHeader = (section: HeaderForward | null | undefined, name: string): boolean =>
  [...Object.keys(section?.add_plaintext_headers ?? {}), ...Object.keys(section?.add_headers_from_secret ?? {})].some(
    (header) => header.toLowerCase() === name,
  );
