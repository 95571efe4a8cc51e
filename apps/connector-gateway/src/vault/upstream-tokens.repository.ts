import { statement } from '@gatehouse/database/statement';
import { inTransaction } from '@gatehouse/database/transaction';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { SignInReason } from '../mcp/ports/personal-credentials.ts';
import { formatTokensPayload, TOKENS_CHANNEL } from './tokens-channel.ts';
import type { TokenOrigin, TokenOwner } from './token-owner.ts';
import type { UpstreamTokenRow } from './upstream-token.entity.ts';

/** A stored row without its owner. */
export type StoredTokens = Pick<
  UpstreamTokenRow,
  | 'id'
  | 'provider_issuer'
  | 'client_id'
  | 'upstream_origin'
  | 'key_version'
  | 'wrapped_key'
  | 'ciphertext'
  | 'scope'
  | 'challenged_scope'
  | 'access_expires_at'
  | 'status'
  | 'reason'
  | 'version'
>;

/** Stores something else in the transaction of a sign-in. */
export type RecordSave = (manager: EntityManager) => Promise<void>;

/** The stored values of a change of tokens. */
export interface TokenContent {
  readonly sealed: SealedValue;
  readonly scope: string | undefined;
  /** Milliseconds since the epoch; undefined if the lifetime is unknown. */
  readonly accessExpiresAt: number | undefined;
}

const COLUMNS =
  'id, provider_issuer, client_id, upstream_origin, key_version, wrapped_key, ciphertext, scope, challenged_scope, access_expires_at, status, reason, version';

const FIND = statement<StoredTokens>(
  `SELECT ${COLUMNS} FROM upstream_tokens WHERE issuer = $1 AND subject = $2 AND connector_id = $3`,
);

const LIST_STATES = statement<Pick<UpstreamTokenRow, 'connector_id' | 'upstream_origin' | 'status'>>(
  'SELECT connector_id, upstream_origin, status FROM upstream_tokens WHERE issuer = $1 AND subject = $2',
);

const LIST_OWNERS = statement<Pick<UpstreamTokenRow, 'id' | 'issuer' | 'subject' | 'connector_id'>>(
  'SELECT id, issuer, subject, connector_id FROM upstream_tokens WHERE id > $1 ORDER BY id LIMIT $2',
);

// Each statement notifies the replicas with its commit.
const SAVE = statement<{ version: number }>(`
  WITH saved AS (
    INSERT INTO upstream_tokens AS t (id, issuer, subject, connector_id, provider_issuer, client_id, upstream_origin,
      key_version, wrapped_key, ciphertext, scope, access_expires_at, status, reason, version, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'connected', NULL, 1, now())
    ON CONFLICT ON CONSTRAINT upstream_tokens_owner_key DO UPDATE
      SET provider_issuer = excluded.provider_issuer, client_id = excluded.client_id,
        upstream_origin = excluded.upstream_origin, key_version = excluded.key_version,
        wrapped_key = excluded.wrapped_key, ciphertext = excluded.ciphertext, scope = excluded.scope,
        access_expires_at = excluded.access_expires_at, status = 'connected', reason = NULL,
        challenged_scope = CASE
          WHEN (t.provider_issuer, t.upstream_origin) = (excluded.provider_issuer, excluded.upstream_origin)
          THEN t.challenged_scope
        END,
        version = t.version + 1, updated_at = now()
    RETURNING version
  )
  SELECT version, pg_notify('${TOKENS_CHANNEL}', $13) FROM saved`);

const REPLACE = statement<{ version: number }>(`
  UPDATE upstream_tokens
  SET key_version = $3, wrapped_key = $4, ciphertext = $5, scope = $6, access_expires_at = $7,
    status = CASE reason WHEN 'insufficient_scope' THEN status ELSE 'connected' END,
    reason = CASE reason WHEN 'insufficient_scope' THEN reason END,
    version = version + 1, updated_at = now()
  WHERE id = $1 AND version = $2 RETURNING version`);

const MARK = statement<{ version: number }>(`
  WITH marked AS (
    UPDATE upstream_tokens SET status = 'needs_auth', reason = $3, version = version + 1, updated_at = now()
    WHERE id = $1 AND version = $2 RETURNING version
  )
  SELECT version, pg_notify('${TOKENS_CHANNEL}', $4) FROM marked`);

const MARK_SCOPE = statement<{ version: number }>(`
  UPDATE upstream_tokens
  SET status = 'needs_auth', reason = 'insufficient_scope', challenged_scope = $3, version = version + 1,
    updated_at = now()
  WHERE id = $1 AND version = $2 RETURNING version`);

const DELETE = statement<{ version: number }>(`
  WITH deleted AS (DELETE FROM upstream_tokens WHERE issuer = $1 AND subject = $2 AND connector_id = $3 RETURNING version)
  SELECT version, pg_notify('${TOKENS_CHANNEL}', $4) FROM deleted`);

const toTimestamp = (time: number | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString();

const listContent = ({ sealed, scope, accessExpiresAt }: TokenContent) => [
  sealed.key_version,
  sealed.wrapped_key,
  sealed.ciphertext,
  scope ?? null,
  toTimestamp(accessExpiresAt),
];

/** The sealed tokens of users in the database. */
@Injectable()
export class UpstreamTokensRepository {
  constructor(private readonly dataSource: DataSource) {}

  find({ issuer, subject, connectorId }: TokenOwner): Promise<StoredTokens | undefined> {
    return FIND.row(this.dataSource.manager, [issuer, subject, connectorId]);
  }

  /** The connectors for which a user has a row, with their state. */
  listStates({ issuer, subject }: Pick<TokenOwner, 'issuer' | 'subject'>) {
    return LIST_STATES.rows(this.dataSource.manager, [issuer, subject]);
  }

  /** Owners in the order of ids. @param afterId undefined for the first page */
  async listOwners(afterId: string | undefined, limit: number): Promise<(TokenOwner & { id: string })[]> {
    const first = '00000000-0000-0000-0000-000000000000';
    const rows = await LIST_OWNERS.rows(this.dataSource.manager, [afterId ?? first, limit]);
    return rows.map(({ connector_id, ...owner }) => ({ ...owner, connectorId: connector_id }));
  }

  /**
   * Stores the tokens of a sign-in, in the place of earlier ones.
   * @param record stores the audit event in the same transaction
   */
  async save(owner: TokenOwner, origin: TokenOrigin, content: TokenContent, record?: RecordSave): Promise<void> {
    const { issuer, subject, connectorId } = owner;
    const { providerIssuer, clientId, upstreamOrigin } = origin;
    const values = [
      ...[uuidv7(), issuer, subject, connectorId, providerIssuer, clientId, upstreamOrigin],
      ...listContent(content),
      formatTokensPayload(owner),
    ];
    await inTransaction(this.dataSource, async (manager) => {
      await SAVE.row(manager, values);
      await record?.(manager);
    });
  }

  /**
   * Stores refreshed tokens.
   * @returns the new version; undefined if the row has another version by now, or is gone
   */
  async replace(id: string, version: number, content: TokenContent): Promise<number | undefined> {
    return (await REPLACE.row(this.dataSource.manager, [id, version, ...listContent(content)]))?.version;
  }

  /** Stores that the user must connect again. @returns false if the row has another version */
  async markNeedsAuth(owner: TokenOwner, row: { id: string; version: number }, reason: SignInReason) {
    const params = [row.id, row.version, reason, formatTokensPayload(owner)];
    return (await MARK.row(this.dataSource.manager, params)) !== undefined;
  }

  /** Stores that the user must connect again with more scopes. @returns false as above */
  async markInsufficientScope({ id, version }: { id: string; version: number }, scope: string): Promise<boolean> {
    return (await MARK_SCOPE.row(this.dataSource.manager, [id, version, scope])) !== undefined;
  }

  /** Deletes the row of an owner. @returns whether there was one */
  async delete(owner: TokenOwner): Promise<boolean> {
    const { issuer, subject, connectorId } = owner;
    const params = [issuer, subject, connectorId, formatTokensPayload(owner)];
    return (await DELETE.row(this.dataSource.manager, params)) !== undefined;
  }
}
