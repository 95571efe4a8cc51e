import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { configuredFetch } from '@gatehouse/egress/configured';
import { outgoingHeaders } from '@gatehouse/service-kit/request-context';
import { z } from 'zod';
import type { ClientToken } from '@gatehouse/service-kit/client-token';
import { Entitlements, Snapshot } from '../mcp/ports/snapshot.ts';

/** A document with its ETag. */
export interface Tagged<T> {
  body: T;
  etag: string;
}

/** The enterprise manager refused a request, or failed. */
export class DirectoryError extends GatehouseError {
  override readonly code = 'directory_request_failed';
  constructor(
    /** Undefined without an answer. */
    readonly status: number | undefined,
    message: string,
    options?: ErrorDetails,
  ) {
    super(message, options);
  }
}

/** The user of a verified token. */
export interface TokenUser {
  issuer: string;
  subject: string;
  /** The value of the issuer's binding claim, if that is not the subject. */
  binding?: string | undefined;
}

/** The receipt for one record of a batch. */
const Receipt = z.object({ status: z.enum(['stored', 'duplicate', 'rejected']), error: z.string().optional() });
export type Receipt = z.infer<typeof Receipt>;
const Receipts = z.object({ results: z.array(Receipt) });

/** The receipt for one observation of a batch. */
const ObservationReceipts = z.object({
  results: z.array(z.object({ status: z.enum(['stored', 'stale', 'rejected']), error: z.string().optional() })),
});

/** The value of a secret and its version. */
const RevealedSecret = z.object({ value: z.string().min(1), version: z.number() });
export type RevealedSecret = z.infer<typeof RevealedSecret>;

const ANSWER_MS = 2_000;
const BATCH_MS = 20_000;

/** Calls the enterprise manager with this gateway's own token. */
export class DirectoryClient {
  private readonly base: string;
  private readonly fetch: ReturnType<typeof configuredFetch>;

  constructor(
    baseUrl: string,
    gatewayId: string,
    private readonly token: ClientToken,
  ) {
    this.fetch = configuredFetch([baseUrl]);
    this.base = `${baseUrl}/gateway/v1/gateways/${encodeURIComponent(gatewayId)}`;
  }

  /**
   * Fetches the snapshot. With an ETag the enterprise manager waits up to `waitSeconds` for a
   * change.
   * @returns undefined without a change
   */
  snapshot(etag: string | undefined, waitSeconds: number, signal: AbortSignal): Promise<Tagged<Snapshot> | undefined> {
    const wait = etag === undefined ? '' : `?wait=${waitSeconds}`;
    return this.read(
      `/snapshot${wait}`,
      Snapshot,
      etag,
      AbortSignal.any([signal, AbortSignal.timeout((waitSeconds + 10) * 1000)]),
    );
  }

  /** Fetches the entitlements of a user. @returns undefined without a change since `etag` */
  entitlements(
    { issuer, subject, binding }: TokenUser,
    etag: string | undefined,
  ): Promise<Tagged<Entitlements> | undefined> {
    const query = new URLSearchParams({ issuer, subject, ...(binding !== undefined && { binding }) });
    return this.read(`/entitlements?${query.toString()}`, Entitlements, etag, AbortSignal.timeout(ANSWER_MS));
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
    await this.write('PUT', connectionPath(userId, connectorId), version, { enabled });
  }

  /** Resets a user's connection to its default. @param version as above */
  async clearConnection(userId: string, connectorId: string, version: number | undefined): Promise<void> {
    await this.write('DELETE', connectionPath(userId, connectorId), version);
  }

  /** Reveals a secret of a connector of this gateway. */
  async reveal(secretId: string): Promise<RevealedSecret> {
    const response = await this.send('POST', `/secrets/${encodeURIComponent(secretId)}/reveal`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const revealed = RevealedSecret.safeParse(await response.json());
    // The error does not repeat the answer, which may hold a secret.
    if (!revealed.success)
      throw new DirectoryError(response.status, 'the enterprise manager sent something else than a secret');
    return revealed.data;
  }

  /** Delivers at most 1,000 tool-call records. @returns one receipt for each, in order */
  async toolCalls(calls: readonly object[]): Promise<readonly Receipt[]> {
    const response = await this.send('POST', '/tool-calls', { body: { calls }, signal: AbortSignal.timeout(BATCH_MS) });
    const { results } = Receipts.parse(await response.json());
    if (results.length !== calls.length)
      throw new DirectoryError(response.status, 'the receipts do not match the records');
    return results;
  }

  /** Reports at most 1,000 observations. @returns one receipt for each, in order */
  async connectionStatuses(
    statuses: readonly object[],
  ): Promise<readonly { status: 'stored' | 'stale' | 'rejected'; error?: string | undefined }[]> {
    const response = await this.send('POST', '/connection-statuses', {
      body: { statuses },
      signal: AbortSignal.timeout(BATCH_MS),
    });
    return ObservationReceipts.parse(await response.json()).results;
  }

  private async read<T>(
    path: string,
    schema: z.ZodType<T>,
    etag: string | undefined,
    signal: AbortSignal,
  ): Promise<Tagged<T> | undefined> {
    const response = await this.send('GET', path, {
      signal,
      ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
    });
    if (response.status === 304) return undefined;
    const parsed = schema.safeParse(await response.json());
    if (!parsed.success)
      throw new DirectoryError(
        response.status,
        `the enterprise manager sent something else than expected: ${z.prettifyError(parsed.error)}`,
      );
    return { body: parsed.data, etag: response.headers.get('etag') ?? '' };
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
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await response.body?.cancel();
  }

  /**
   * Sends a request, and again with a new token after a 401.
   * @throws DirectoryError for every status except success and 304
   */
  private async send(
    method: string,
    path: string,
    { body, headers, signal }: { body?: object; headers?: Record<string, string>; signal: AbortSignal },
  ): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
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
      const text = (await response.text()).slice(0, 500);
      if (response.status === 401 && attempt === 0) this.token.refused(token);
      else throw new DirectoryError(response.status, `the enterprise manager answered ${response.status}: ${text}`);
    }
  }
}

const connectionPath = (userId: string, connectorId: string): string =>
  `/connections/${encodeURIComponent(userId)}/${encodeURIComponent(connectorId)}`;
