import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { selectByCreation } from '../../database/creation-order.ts';
import type { KeysetStep } from '../../database/keyset.ts';
import { inactiveUserSql } from '../../people/deactivation/inactive-user-sql.ts';
import type { StoredScimToken } from './scim-token.ts';

const COLUMNS = `t.id, t.issuer_id, t.name, t.lookup, t.secret_hash, t.previous_hash, t.previous_valid_until, t.expires_at, t.revoked_at, t.last_used_at,
   t.version, t.created_by_issuer, t.created_by_subject, t.created_at, t.updated_at`;
const BY_ID = statement<StoredScimToken>(`SELECT ${COLUMNS} FROM scim_tokens t WHERE t.id = $1`);
const LOCKED = statement<StoredScimToken>(`SELECT ${COLUMNS} FROM scim_tokens t WHERE t.id = $1 FOR UPDATE`);
const BY_LOOKUP = statement<StoredScimToken>(`SELECT ${COLUMNS} FROM scim_tokens t WHERE t.lookup = $1`);
// Whoever notes the same use at the same time is not waited for.
const NOTE_USE = statement(
  `WITH due AS (SELECT id FROM scim_tokens WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3) FOR UPDATE SKIP LOCKED)
   UPDATE scim_tokens t SET last_used_at = $2 FROM due WHERE t.id = due.id`,
);

const LOCK_ENTRIES = statement(
  `SELECT 1 FROM users WHERE issuer = $1 AND (subject = $2 OR (subject IS NULL AND binding_key = $3)) ORDER BY id FOR SHARE`,
);
const IS_INACTIVE = statement<{ inactive: boolean }>(
  `SELECT ${inactiveUserSql({ issuer: '$1', subject: '$2', binding_key: '$3' })} AS inactive`,
);

/** A person that has received a secret of a token, as their access token identified them then. */
export interface ScimTokenHolder {
  issuer: string;
  subject: string;
  /** Null where the access token had no value that binds it to an entry. */
  binding_key: string | null;
}

/** SCIM tokens in the database. */
@Injectable()
export class ScimTokensRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Tokens in the order in which they were made. */
  async list(filter: { issuer_id?: string | undefined }, step: KeysetStep): Promise<StoredScimToken[]> {
    const params: unknown[] = [];
    const conditions = filter.issuer_id === undefined ? [] : [`t.issuer_id = $${params.push(filter.issuer_id)}`];
    return selectByCreation(
      this.dataSource,
      { select: `SELECT ${COLUMNS} FROM scim_tokens t`, alias: 't', conditions, params },
      step,
    );
  }

  find(id: string): Promise<StoredScimToken | undefined> {
    return BY_ID.row(this.dataSource.manager, [id]);
  }

  /** Locks a token against every other change of it until the transaction ends. */
  lock(manager: EntityManager, id: string): Promise<StoredScimToken | undefined> {
    return LOCKED.row(manager, [id]);
  }

  /** The token that a secret names. */
  findByLookup(lookup: string): Promise<StoredScimToken | undefined> {
    return BY_LOOKUP.row(this.dataSource.manager, [lookup]);
  }

  /** Notes a use, unless a later one than `before` is noted already. */
  async noteUse(id: string, now: string, before: string): Promise<void> {
    await NOTE_USE.rows(this.dataSource.manager, [id, now, before]);
  }

  /** Adds a token. @throws a unique violation of scim_tokens_lookup_unique */
  async insert(manager: EntityManager, token: StoredScimToken): Promise<void> {
    await manager.query(
      `INSERT INTO scim_tokens (id, issuer_id, name, lookup, secret_hash, expires_at, created_by_issuer, created_by_subject, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        token.id,
        token.issuer_id,
        token.name,
        token.lookup,
        token.secret_hash,
        token.expires_at,
        token.created_by_issuer,
        token.created_by_subject,
        token.created_at,
        token.updated_at,
      ],
    );
  }

  /** Writes what may change of a token. */
  async update(manager: EntityManager, token: StoredScimToken): Promise<void> {
    await manager.query(
      `UPDATE scim_tokens SET secret_hash = $2, previous_hash = $3, previous_valid_until = $4, revoked_at = $5, version = $6, updated_at = $7
       WHERE id = $1`,
      [
        token.id,
        token.secret_hash,
        token.previous_hash,
        token.previous_valid_until,
        token.revoked_at,
        token.version,
        token.updated_at,
      ],
    );
  }

  /**
   * Whether the directory has deactivated or removed a person. The entry stays as it is until the
   * transaction ends.
   */
  async isInactive(manager: EntityManager, { issuer, subject, binding_key }: ScimTokenHolder): Promise<boolean> {
    const person = [issuer, subject, binding_key];
    await LOCK_ENTRIES.rows(manager, person);
    return (await IS_INACTIVE.row(manager, person))?.inactive ?? true;
  }

  /** Stores a person that receives a secret of a token. The token is new or locked. */
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
