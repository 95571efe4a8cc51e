import type {
  ConnectionStatusReceiptDto,
  RevealedSecretDto,
  ToolCallReceiptDto,
} from '@gatehouse/contracts-enterprise-manager/validation';
import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import {
  createPollSignal,
  type DocumentCheck,
  type ManagerConnection,
  type ManagerRequest,
  type TaggedDocument,
} from '@gatehouse/service-kit/manager-connection';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import type { Received } from '@gatehouse/service-kit/received';
import { type EntitlementsSource, type TokenUser, UnknownUserError } from '../entitlements/entitlements-source.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import { type ReceivedEntitlementChanges, type ReceivedSnapshot, receivedDocuments } from './received-documents.ts';

/** The receipt for one observation of a connection. */
export type ObservationReceipt = Received<ConnectionStatusReceiptDto>;
/** The value of a secret and its version. */
export type RevealedSecret = Received<RevealedSecretDto>;

const RESPONSE_TIMEOUT_MS = 2_000;
/** Retries of a read, within its timeout. */
const READ_RETRIES = 2;
const READ_BACKOFF = { firstMs: 50, longestMs: 200 };
const BATCH_TIMEOUT_MS = 20_000;

/** Calls the enterprise manager with this gateway's own token. */
export class DirectoryClient implements EntitlementsSource {
  private readonly base: string;

  constructor(
    private readonly manager: ManagerConnection,
    gatewayId: string,
  ) {
    this.base = `/gateway/v1/gateways/${encodeURIComponent(gatewayId)}`;
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
  fetchEntitlementChanges(
    after: number | undefined,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<ReceivedEntitlementChanges> {
    const query = `wait=${waitSeconds}${after === undefined ? '' : `&after=${after}`}`;
    return this.call('GET', `/entitlement-changes?${query}`, receivedDocuments.entitlementChanges, {
      signal: createPollSignal(waitSeconds, signal),
    });
  }

  /**
   * Fetches the entitlements of a user. A failed request is repeated, since another replica of the
   * enterprise manager may answer.
   * @returns undefined without a change since `etag`
   * @throws UnknownUserError, ManagerError
   */
  async fetchEntitlements(
    { issuer, subject, binding }: TokenUser,
    etag: string | undefined,
  ): Promise<TaggedDocument<Entitlements> | undefined> {
    const query = new URLSearchParams({ issuer, subject, ...(binding !== undefined && { binding }) });
    const path = `/entitlements?${query.toString()}`;
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const shouldRetry = (error: unknown) => error instanceof ManagerError && (error.status ?? 500) >= 500;
    try {
      return await retry(() => this.read(path, receivedDocuments.entitlements, etag, signal), {
        maxRetries: READ_RETRIES,
        backoff: new Backoff(READ_BACKOFF),
        signal,
        shouldRetry,
      });
    } catch (error) {
      if (!(error instanceof ManagerError) || error.status !== 404) throw error;
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
  revealSecret(secretId: string): Promise<RevealedSecret> {
    return this.call('POST', `/secrets/${encodeURIComponent(secretId)}/reveal`, receivedDocuments.secret, {
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
  }

  /** Delivers at most 1,000 tool-call records. @returns one receipt for each, in order */
  async deliverToolCalls(calls: readonly object[]): Promise<readonly Received<ToolCallReceiptDto>[]> {
    const { results } = await this.call('POST', '/tool-calls', receivedDocuments.toolCallReceipts, {
      body: { calls },
      signal: AbortSignal.timeout(BATCH_TIMEOUT_MS),
    });
    if (results.length !== calls.length)
      throw new ManagerError(
        undefined,
        `the enterprise manager sent ${results.length} receipts for ${calls.length} tool-call records`,
      );
    return results;
  }

  /** Reports at most 1,000 observations. @returns one receipt for each, in order */
  async reportConnectionStatuses(statuses: readonly object[]): Promise<readonly ObservationReceipt[]> {
    const check = receivedDocuments.connectionStatusReceipts;
    const request = { body: { statuses }, signal: AbortSignal.timeout(BATCH_TIMEOUT_MS) };
    return (await this.call('POST', '/connection-statuses', check, request)).results;
  }

  private read<T>(
    path: string,
    check: DocumentCheck<T>,
    etag: string | undefined,
    signal: AbortSignal,
  ): Promise<TaggedDocument<T> | undefined> {
    return this.manager.read(`${this.base}${path}`, check, etag, signal);
  }

  private call<T>(method: string, path: string, check: DocumentCheck<T>, request: ManagerRequest): Promise<T> {
    return this.manager.call(method, `${this.base}${path}`, check, request);
  }

  private write(method: 'PUT' | 'DELETE', path: string, version: number | undefined, body?: object): Promise<void> {
    return this.manager.write(method, `${this.base}${path}`, {
      body,
      ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
  }
}

const getConnectionPath = (userId: string, connectorId: string): string =>
  `/connections/${encodeURIComponent(userId)}/${encodeURIComponent(connectorId)}`;
