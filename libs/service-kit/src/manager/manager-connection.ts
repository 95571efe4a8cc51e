import { createConfiguredFetch } from '@gatehouse/egress/configured';
import { retry } from '@gatehouse/retry/retry';
import { outgoingHeaders } from '../telemetry/request-context.ts';
import type { ClientToken } from './client-token.ts';
import { ManagerError } from './manager-error.ts';

/** A received document and its ETag. */
export interface TaggedDocument<T> {
  body: T;
  etag: string;
}

/** A request to the enterprise manager, without the token. */
export interface ManagerRequest {
  /** An object is sent as JSON; a text is JSON already. */
  body?: object | string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  signal: AbortSignal;
}

/** Returns a received document, or throws a ContractViolationError. */
export type DocumentCheck<T> = (body: unknown) => T | Promise<T>;

/** Time for the response of a long poll after its wait. */
const POLL_MARGIN_MS = 10_000;
/** Read bytes of the body of a refusal. */
const MAX_REFUSAL_BYTES = 2_048;

/** Combines a signal with the timeout of a long poll. */
export const createPollSignal = (waitSeconds: number, signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(waitSeconds * 1_000 + POLL_MARGIN_MS)]);

/** Calls the enterprise manager with the token of this service. Connections are kept alive. */
export class ManagerConnection {
  /**
   * @param baseUrl the address of the enterprise manager, without a slash at the end
   * @param fetch default: a fetch that permits this address
   */
  constructor(
    private readonly baseUrl: string,
    private readonly token: Pick<ClientToken, 'get' | 'forget'>,
    private readonly fetch: ReturnType<typeof createConfiguredFetch> = createConfiguredFetch([baseUrl]),
  ) {}

  /** Sends a request and reads the document of its response. @throws ManagerError */
  async call<T>(method: string, path: string, check: DocumentCheck<T>, request: ManagerRequest): Promise<T> {
    return readDocument(await this.send(method, path, request), check);
  }

  /**
   * Reads a document.
   * @param etag the ETag of the known document; undefined without one
   * @returns undefined without a change since `etag`
   * @throws ManagerError
   */
  async read<T>(
    path: string,
    check: DocumentCheck<T>,
    etag: string | undefined,
    signal: AbortSignal,
  ): Promise<TaggedDocument<T> | undefined> {
    const headers = etag === undefined ? undefined : { 'if-none-match': etag };
    const response = await this.send('GET', path, { signal, headers });
    if (response.status === 304) return undefined;
    return { body: await readDocument(response, check), etag: response.headers.get('etag') ?? '' };
  }

  /** Sends a request whose response has no document. @throws ManagerError */
  async write(method: string, path: string, request: ManagerRequest): Promise<void> {
    const response = await this.send(method, path, request);
    await response.body?.cancel();
  }

  /** Sends a request, and again with a new token after a 401. */
  private send(method: string, path: string, request: ManagerRequest): Promise<Response> {
    const shouldRetry = (error: unknown) => error instanceof ManagerError && error.status === 401;
    return retry(() => this.sendOnce(method, path, request), { maxRetries: 1, shouldRetry });
  }

  private async sendOnce(method: string, path: string, { body, headers, signal }: ManagerRequest): Promise<Response> {
    const token = await this.token.get().catch((cause: unknown) => {
      throw new ManagerError(undefined, 'no token for the enterprise manager', { cause });
    });
    const response = await this.fetch(`${this.baseUrl}${path}`, {
      method,
      signal,
      headers: {
        ...outgoingHeaders(),
        ...headers,
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new ManagerError(undefined, 'the enterprise manager did not answer', { cause });
    });
    if (response.ok || response.status === 304) return response;
    if (response.status === 401) this.token.forget(token);
    const text = await readBeginning(response);
    throw new ManagerError(response.status, `the enterprise manager answered ${response.status}: ${text}`, {
      retryAfterMs: readRetryAfter(response),
    });
  }
}

/** Reads `Retry-After` in seconds (RFC 9110 §10.2.3). */
function readRetryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,4}$/.test(text) ? Number(text) * 1_000 : undefined;
}

/** Reads the beginning of the body of a refusal; a broken body counts as its part that arrived. */
async function readBeginning(response: Response): Promise<string> {
  const body: ReadableStream<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, 500);
}

/** @throws ManagerError that names the field, never its value: it may be a secret */
async function readDocument<T>(response: Response, check: DocumentCheck<T>): Promise<T> {
  const body: unknown = await response.json().catch((cause: unknown) => {
    // A SyntaxError quotes the text, which may hold a secret.
    const details = cause instanceof SyntaxError ? {} : { cause };
    throw new ManagerError(undefined, 'the response of the enterprise manager is not complete JSON', details);
  });
  try {
    return await check(body);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ManagerError(undefined, `the response of the enterprise manager breaks its contract: ${reason}`, {
      cause,
    });
  }
}
