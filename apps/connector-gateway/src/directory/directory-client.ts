import type {
  ConnectionStatusReceiptDto,
  RevealedSecretDto,
  ToolCallReceiptDto,
} from '@gatehouse/contracts-enterprise-manager/validation';
import { createConfiguredFetch } from '@gatehouse/egress/configured';
import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { outgoingHeaders } from '@gatehouse/service-kit/request-context';
import type { ClientToken } from '@gatehouse/service-kit/client-token';
import type { Received } from '@gatehouse/service-kit/received';
import {
  type EntitlementsSource,
  type TaggedDocument,
  type TokenUser,
  UnknownUserError,
} from '../entitlements/entitlements-source.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import { type ReceivedEntitlementChanges, type ReceivedSnapshot, receivedDocuments } from './received-documents.ts';

/**
 * The enterprise manager refused a request, failed, or sent a response that breaks its contract.
 */
export class DirectoryError extends GatehouseError {
  override readonly code = 'directory_request_failed';
  constructor(
    /** Undefined without a response, or for one that breaks the contract. */
    readonly status: number | undefined,
    message: string,
    options?: ErrorDetails,
  ) {
    super(message, options);
  }
}

/** The receipt for one observation of a connection. */
export type ObservationReceipt = Received<ConnectionStatusReceiptDto>;
/** The value of a secret and its version. */
export type RevealedSecret = Received<RevealedSecretDto>;

const RESPONSE_TIMEOUT_MS = 2_000;
/** Time for the response of a long poll after its wait. */
const POLL_MARGIN_MS = 5_000;
/** Retries of a read, within its timeout. */
const READ_RETRIES = 2;
const READ_BACKOFF = { firstMs: 50, longestMs: 200 };
const BATCH_TIMEOUT_MS = 20_000;

/** Calls the enterprise manager with this gateway's own token. */
export class DirectoryClient implements EntitlementsSource {
  private readonly base: string;
  private readonly fetch: ReturnType<typeof createConfiguredFetch>;

  constructor(
    baseUrl: string,
    gatewayId: string,
    private readonly token: ClientToken,
  ) {
    this.fetch = createConfiguredFetch([baseUrl]);
    this.base = `${baseUrl}/gateway/v1/gateways/${encodeURIComponent(gatewayId)}`;
  }

  /**
   * Fetches the snapshot. With an ETag the enterprise manager waits up to `waitSeconds` for a
   * change.
   * @returns undefined without a change
   */
  fetchSnapshot(
    etag: string | undefined,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<TaggedDocument<ReceivedSnapshot> | undefined> {
    const wait = etag === undefined ? '' : `?wait=${waitSeconds}`;
    return this.read(`/snapshot${wait}`, receivedDocuments.snapshot, etag, createPollSignal(waitSeconds, signal));
  }

  /**
   * Fetches the users whose entitlements have changed after a version. The enterprise manager waits
   * up to `waitSeconds` for a change.
   * @param after undefined fetches the current version
   */
  async fetchEntitlementChanges(
    after: number | undefined,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<ReceivedEntitlementChanges> {
    const query = `wait=${waitSeconds}${after === undefined ? '' : `&after=${after}`}`;
    const response = await this.send('GET', `/entitlement-changes?${query}`, {
      signal: createPollSignal(waitSeconds, signal),
    });
    return readBody(response, receivedDocuments.entitlementChanges);
  }

  /**
   * Fetches the entitlements of a user. A failed request is repeated, since another replica of the
   * enterprise manager may answer.
   * @returns undefined without a change since `etag`
   * @throws UnknownUserError, DirectoryError
   */
  async fetchEntitlements(
    { issuer, subject, binding }: TokenUser,
    etag: string | undefined,
  ): Promise<TaggedDocument<Entitlements> | undefined> {
    const query = new URLSearchParams({ issuer, subject, ...(binding !== undefined && { binding }) });
    const path = `/entitlements?${query.toString()}`;
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const shouldRetry = (error: unknown) => error instanceof DirectoryError && (error.status ?? 500) >= 500;
    try {
      return await retry(() => this.read(path, receivedDocuments.entitlements, etag, signal), {
        maxRetries: READ_RETRIES,
        backoff: new Backoff(READ_BACKOFF),
        signal,
        shouldRetry,
      });
    } catch (error) {
      if (!(error instanceof DirectoryError) || error.status !== 404) throw error;
      throw new UnknownUserError('the enterprise manager has no entry of the user', { cause: error });
    }
  }

  /**
   * Enables or disables a user's connection.
   * @param version the version to replace; undefined replaces any
   */
  async setConnection(
    userId: string,
    connectorId: string,
    enabled: boolean,
    version: number | undefined,
  ): Promise<void> {
    await this.write('PUT', getConnectionPath(userId, connectorId), version, { enabled });
  }

  /** Resets a user's connection to its default. @param version as above */
  async clearConnection(userId: string, connectorId: string, version: number | undefined): Promise<void> {
    await this.write('DELETE', getConnectionPath(userId, connectorId), version);
  }

  /** Reveals a secret of a connector of this gateway. */
  async revealSecret(secretId: string): Promise<RevealedSecret> {
    const response = await this.send('POST', `/secrets/${encodeURIComponent(secretId)}/reveal`, {
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    return readBody(response, receivedDocuments.secret);
  }

  /** Delivers at most 1,000 tool-call records. @returns one receipt for each, in order */
  async deliverToolCalls(calls: readonly object[]): Promise<readonly Received<ToolCallReceiptDto>[]> {
    const response = await this.send('POST', '/tool-calls', {
      body: { calls },
      signal: AbortSignal.timeout(BATCH_TIMEOUT_MS),
    });
    const { results } = await readBody(response, receivedDocuments.toolCallReceipts);
    if (results.length !== calls.length)
      throw new DirectoryError(
        undefined,
        `the enterprise manager sent ${results.length} receipts for ${calls.length} tool-call records`,
      );
    return results;
  }

  /** Reports at most 1,000 observations. @returns one receipt for each, in order */
  async reportConnectionStatuses(statuses: readonly object[]): Promise<readonly ObservationReceipt[]> {
    const response = await this.send('POST', '/connection-statuses', {
      body: { statuses },
      signal: AbortSignal.timeout(BATCH_TIMEOUT_MS),
    });
    return (await readBody(response, receivedDocuments.connectionStatusReceipts)).results;
  }

  private async read<T>(
    path: string,
    check: DocumentCheck<T>,
    etag: string | undefined,
    signal: AbortSignal,
  ): Promise<TaggedDocument<T> | undefined> {
    const response = await this.send('GET', path, {
      signal,
      ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
    });
    if (response.status === 304) return undefined;
    return { body: await readBody(response, check), etag: response.headers.get('etag') ?? '' };
  }

  private async write(
    method: 'PUT' | 'DELETE',
    path: string,
    version: number | undefined,
    body?: object,
  ): Promise<void> {
    const response = await this.send(method, path, {
      ...(body && { body }),
      ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    await response.body?.cancel();
  }

  /**
   * Sends a request, and again with a new token after a 401.
   * @throws DirectoryError for every status except success and 304
   */
  private send(method: string, path: string, request: OutgoingRequest): Promise<Response> {
    const shouldRetry = (error: unknown) => error instanceof DirectoryError && error.status === 401;
    return retry(() => this.sendOnce(method, path, request), { maxRetries: 1, shouldRetry });
  }

  private async sendOnce(method: string, path: string, { body, headers, signal }: OutgoingRequest): Promise<Response> {
    const token = await this.token.get().catch((cause: unknown) => {
      throw new DirectoryError(undefined, 'no token for the enterprise manager', { cause });
    });
    const response = await this.fetch(`${this.base}${path}`, {
      method,
      signal,
      headers: {
        ...outgoingHeaders(),
        ...headers,
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new DirectoryError(undefined, 'the enterprise manager did not answer', { cause });
    });
    if (response.ok || response.status === 304) return response;
    if (response.status === 401) this.token.forget(token);
    const text = (await response.text()).slice(0, 500);
    throw new DirectoryError(response.status, `the enterprise manager answered ${response.status}: ${text}`);
  }
}

/** A request, without the token. */
interface OutgoingRequest {
  body?: object;
  headers?: Record<string, string>;
  signal: AbortSignal;
}

const createPollSignal = (waitSeconds: number, signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(waitSeconds * 1_000 + POLL_MARGIN_MS)]);

const getConnectionPath = (userId: string, connectorId: string): string =>
  `/connections/${encodeURIComponent(userId)}/${encodeURIComponent(connectorId)}`;

/** Returns a received document, or throws a ContractViolationError. */
type DocumentCheck<T> = (body: unknown) => T | Promise<T>;

/** @throws DirectoryError that names the field, never its value: it may be a secret */
async function readBody<T>(response: Response, check: DocumentCheck<T>): Promise<T> {
  const body: unknown = await response.json().catch((cause: unknown) => {
    // A SyntaxError quotes the text, which may hold a secret.
    const details = cause instanceof SyntaxError ? {} : { cause };
    throw new DirectoryError(undefined, 'the response of the enterprise manager is not complete JSON', details);
  });
  try {
    return await check(body);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DirectoryError(undefined, `the response of the enterprise manager breaks its contract: ${reason}`, {
      cause,
    });
  }
}
