import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { selectByCreation } from '../../database/creation-order.ts';
import type { KeysetStep } from '@gatehouse/database/keyset';
import { buildInactiveUserSql } from '../../people/deactivation/inactive-user-sql.ts';
import { ScimTokenRow } from './scim-token.entity.ts';
import type { StoredScimToken } from './scim-token.ts';

const COLUMNS = `t.id, t.issuer_id, t.name, t.lookup, t.secret_hash, t.previous_hash, t.previous_valid_until, t.expires_at, t.revoked_at, t.last_used_at,
   t.version, t.created_by_issuer, t.created_by_subject, t.created_at, t.updated_at`;
const BY_ID = statement<StoredScimToken>(`SELECT ${COLUMNS} FROM scim_tokens t WHERE t.id = $1`);
const LOCK = statement<StoredScimToken>(`SELECT ${COLUMNS} FROM scim_tokens t WHERE t.id = $1 FOR UPDATE`);
const BY_LOOKUP = statement<StoredScimToken>(`SELECT ${COLUMNS} FROM scim_tokens t WHERE t.lookup = $1`);
// SKIP LOCKED: a request does not wait for another one that records the same use.
const RECORD_USE = statement(
  `WITH due AS (SELECT id FROM scim_tokens WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3) FOR UPDATE SKIP LOCKED)
   UPDATE scim_tokens t SET last_used_at = $2 FROM due WHERE t.id = due.id`,
);

const LOCK_ENTRIES = statement(
  `SELECT 1 FROM users WHERE issuer = $1 AND (subject = $2 OR (subject IS NULL AND binding_key = $3)) ORDER BY id FOR SHARE`,
);
const IS_INACTIVE = statement<{ inactive: boolean }>(
  `SELECT ${buildInactiveUserSql({ issuer: '$1', subject: '$2', binding_key: '$3' })} AS inactive`,
);

/** An administrator that received a secret of a token, as identified by the access token then. */
export interface ScimTokenHolder {
  issuer: string;
  subject: string;
  /** Null where the access token had no value that binds it to an entry. */
  binding_key: string | null;
}

/** SCIM tokens in the database. Written as SQL: the lookup of each request, and locks. */
@Injectable()
export class ScimTokensRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists tokens in the order of their creation. */
  async list(filter: { issuer_id?: string | undefined }, step: KeysetStep): Promise<StoredScimToken[]> {
    const params: unknown[] = [];
    const conditions = filter.issuer_id === undefined ? [] : [`t.issuer_id = $${params.push(filter.issuer_id)}`];
    return selectByCreation(
      this.dataSource,
      { select: `SELECT ${COLUMNS} FROM scim_tokens t`, alias: 't', conditions, params },
      step,
    );
  }

  /** Finds a token by id. */
  find(id: string): Promise<StoredScimToken | undefined> {
    return BY_ID.row(this.dataSource.manager, [id]);
  }

  /** Locks a token against every other change until the transaction ends. */
  lock(manager: EntityManager, id: string): Promise<StoredScimToken | undefined> {
    return LOCK.row(manager, [id]);
  }

  /** Finds a token by the public part of its secret. */
  findByLookup(lookup: string): Promise<StoredScimToken | undefined> {
    return BY_LOOKUP.row(this.dataSource.manager, [lookup]);
  }

  /** Records a use, unless one since `before` is recorded. */
  async recordUse(id: string, now: string, before: string): Promise<void> {
    await RECORD_USE.rows(this.dataSource.manager, [id, now, before]);
  }

  /** Adds a token. @throws a unique violation of scim_tokens_lookup_unique */
  async insert(manager: EntityManager, token: StoredScimToken): Promise<void> {
    await manager.insert(ScimTokenRow, token);
  }

  /** Writes the secrets and the revocation of a token. */
  async update(manager: EntityManager, token: StoredScimToken): Promise<void> {
    const { id, secret_hash, previous_hash, previous_valid_until, revoked_at, version, updated_at } = token;
    const fields = { secret_hash, previous_hash, previous_valid_until, revoked_at, version, updated_at };
    await manager.update(ScimTokenRow, { id }, fields);
  }

  /**
   * Whether the directory has deactivated or removed a user. Locks the entry until the transaction
   * ends.
   */
  async isInactive(manager: EntityManager, { issuer, subject, binding_key }: ScimTokenHolder): Promise<boolean> {
    const identity = [issuer, subject, binding_key];
    await LOCK_ENTRIES.rows(manager, identity);
    return (await IS_INACTIVE.row(manager, identity))?.inactive ?? true;
  }

  /** Stores an administrator that receives a secret of a token. The token is new or locked. */
  async addHolder(manager: EntityManager, tokenId: string, holder: ScimTokenHolder): Promise<void> {
    await manager.query(
      `INSERT INTO scim_token_holders (token_id, issuer, subject, binding_key)
       SELECT $1::uuid, $2::text, $3::text, $4::text WHERE NOT EXISTS (
         SELECT FROM scim_token_holders
         WHERE token_id = $1::uuid AND issuer = $2 AND subject = $3 AND binding_key IS NOT DISTINCT FROM $4::text)`,
      [tokenId, holder.issuer, holder.subject, holder.binding_key],
    );
  }
}
