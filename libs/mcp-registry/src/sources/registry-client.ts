import { openEgress } from '@gatehouse/egress/egress';
import { explainDial } from '@gatehouse/egress/explain';
import { getAuthority, PUBLIC_ONLY, readTarget } from '@gatehouse/egress/target';
import { MAX_DOCUMENT_BYTES } from '../document/json-text.ts';
import { RegistryDocumentError, RegistryUnavailableError } from '../registry-error.ts';
import type { DocumentCache, StoredAnswer } from './document-cache.ts';

const TIMEOUT_MS = 30_000;
/** Milliseconds for which a stored answer is used without a request. */
export const FRESH_MS = 5 * 60_000;

/** The access to a registry over HTTP. */
export interface RegistryAccess {
  readonly url: string;
  /** Allows http, and private and loopback addresses, for the authority of the URL. */
  readonly allowPrivateIp: boolean;
  readonly cache: DocumentCache;
  /** Is called with a sentence when a stored answer replaces the answer of the registry. */
  readonly note: (sentence: string) => void;
  readonly now: () => Date;
  /** Certificates of authorities in PEM that are trusted beside those of the system. */
  readonly certificates?: string | undefined;
  /** Whether stored answers are not used, as before a registry is selected; default false. */
  readonly ignoreStored?: boolean;
  /** Milliseconds for all requests of one question; default 30 s. */
  readonly timeoutMs?: number | undefined;
}

/** Reads one URL. @returns undefined for 404 */
export type GetDocument = <T>(url: URL, parse: (bytes: Uint8Array) => T) => Promise<T | undefined>;

/**
 * Runs the requests of one question over one set of connections.
 * @throws RegistryUnavailableError, RegistryDocumentError
 */
export async function withRegistryClient<T>(
  access: RegistryAccess,
  work: (get: GetDocument) => Promise<T>,
): Promise<T> {
  const base = readBase(access.url);
  const egress = openEgress(
    access.allowPrivateIp ? { authority: getAuthority(base), allowPrivateIps: true, allowLoopback: true } : PUBLIC_ONLY,
    {
      limits: {
        connectTimeoutMs: 5_000,
        headersTimeoutMs: 10_000,
        bodyTimeoutMs: 10_000,
        maxResponseBytes: MAX_DOCUMENT_BYTES,
      },
      certificates: access.certificates,
    },
  );
  const signal = AbortSignal.timeout(access.timeoutMs ?? TIMEOUT_MS);
  let isNoted = false;
  const note = (sentence: string) => {
    if (!isNoted) access.note(sentence);
    isNoted = true;
  };
  const send = (url: URL, headers: Record<string, string>) => egress.fetch(url, { headers, signal });
  try {
    return await work((url, parse) => readThroughCache({ ...access, note }, send, url, parse));
  } finally {
    await egress.close();
  }
}

/** @throws RegistryUnavailableError */
function readBase(url: string): URL {
  try {
    return readTarget(url);
  } catch (cause) {
    throw new RegistryUnavailableError(
      `The address of the registry, ${withoutCredentials(url)}, cannot be used: it ${(cause as Error).message}`,
      [],
      cause,
    );
  }
}

/** An address for a message, which others may read. */
const withoutCredentials = (url: string): string => url.replace(/\/\/[^/?#]*@/, '//…@');

type Send = (url: URL, headers: Record<string, string>) => Promise<Response>;

async function readThroughCache<T>(
  { cache, note, now, ignoreStored = false, allowPrivateIp }: RegistryAccess,
  send: Send,
  url: URL,
  parse: (bytes: Uint8Array) => T,
): Promise<T | undefined> {
  const stored = ignoreStored ? undefined : cache.read(url.href);
  if (stored !== undefined && isFresh(stored, now())) return parse(Buffer.from(stored.body));
  try {
    const response = await send(url, {
      accept: 'application/json',
      ...(stored?.etag !== undefined && { 'if-none-match': stored.etag }),
    });
    if (response.status === 404) return undefined;
    const fetched_at = now().toISOString();
    if (response.status === 304 && stored !== undefined) {
      cache.write({ ...stored, fetched_at });
      return parse(Buffer.from(stored.body));
    }
    const bytes = await readBody(response, url);
    const value = parse(bytes);
    const etag = response.headers.get('etag');
    // A document that is no registry never replaces a stored one.
    cache.write({ url: url.href, ...(etag !== null && { etag }), fetched_at, body: new TextDecoder().decode(bytes) });
    return value;
  } catch (error) {
    const failure = toRegistryError(error, url, allowPrivateIp);
    if (stored === undefined) throw failure;
    note(`${failure.message}. This is the stored copy of ${stored.fetched_at}.`);
    return parse(Buffer.from(stored.body));
  }
}

const isFresh = ({ fetched_at: fetchedAt }: StoredAnswer, now: Date): boolean => {
  const age = now.getTime() - Date.parse(fetchedAt);
  return age >= 0 && age < FRESH_MS;
};

async function readBody(response: Response, url: URL): Promise<Uint8Array> {
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  await response.body?.cancel();
  if (response.status === 401 || response.status === 403)
    throw new RegistryUnavailableError(`The registry ${url.origin} wants a sign-in (status ${response.status})`, [
      'ask its administrator for an address without sign-in, or save the registry as a file',
    ]);
  throw new RegistryUnavailableError(`The registry ${url.origin} answered with status ${response.status}`);
}

function toRegistryError(
  error: unknown,
  url: URL,
  allowPrivateIp: boolean,
): RegistryUnavailableError | RegistryDocumentError {
  if (error instanceof RegistryUnavailableError || error instanceof RegistryDocumentError) return error;
  const { problem, sentence } = explainDial(error, url);
  return new RegistryUnavailableError(
    `The registry ${url.origin} cannot be read: ${sentence}`,
    problem === 'refused_by_rule' && !allowPrivateIp
      ? ['--allow-private-ip   for a registry in your own network']
      : ['gatehouse registry set --reset   returns to the embedded registry'],
    error,
  );
}
