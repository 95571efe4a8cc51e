import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Stored } from '@gatehouse/database/stored';
import type { KeyChange, KeySecrets } from './key.ts';
import type { KeyDetails } from './keys.dto.ts';
import { VirtualKeyRow } from './virtual-key.entity.ts';

/** The owner of keys: the caller of a token, or a directory entry. */
export type KeyOwner = { issuer: string; subject: string } | { user_id: string };

/** The columns of a new key. */
export type NewKey = Pick<
  Stored<VirtualKeyRow>,
  | 'id'
  | 'issuer'
  | 'subject'
  | 'user_id'
  | 'name'
  | 'metadata'
  | 'secret_hash'
  | 'expires_at'
  | 'created_at'
  | 'created_by'
>;

/** A key as the repository reads it. */
export type StoredKey = KeyDetails & Pick<VirtualKeyRow, 'rotation_requests'>;

const COLUMNS = `k.id, k.issuer, k.subject, k.name, k.metadata, k.secret_hash, k.previous_hash, k.previous_valid_until, k.rotation_requests,
   k.disabled_by_owner, k.disabled_by_administrator, k.disabled_by_deactivation, k.revoked_at, k.expires_at, k.created_at, k.created_by,
   (SELECT last_used_at FROM virtual_key_uses WHERE key_id = k.id) AS last_used_at`;
const BY_SUBJECT = 'k.issuer = $1 AND k.subject = $2';
const BY_USER = 'k.user_id = $1::uuid AND $2::text IS NULL';

/** Selects by id and owner, so that another owner's key is not found. */
const selectOne = (owner: string, lock: string) =>
  statement<StoredKey>(`SELECT ${COLUMNS} FROM virtual_keys k WHERE k.id = $3 AND ${owner} ${lock}`);
const selectAll = (owner: string) =>
  statement<StoredKey>(
    `(SELECT ${COLUMNS} FROM virtual_keys k WHERE ${owner} AND k.revoked_at IS NULL ORDER BY k.created_at DESC, k.id DESC LIMIT $3)
     UNION ALL
     (SELECT ${COLUMNS} FROM virtual_keys k WHERE ${owner} AND k.revoked_at IS NOT NULL ORDER BY k.created_at DESC, k.id DESC LIMIT $4)`,
  );
const [FIND_BY_SUBJECT, FIND_BY_USER] = [selectOne(BY_SUBJECT, ''), selectOne(BY_USER, '')];
const [LOCK_BY_SUBJECT, LOCK_BY_USER] = [
  selectOne(BY_SUBJECT, 'FOR NO KEY UPDATE OF k'),
  selectOne(BY_USER, 'FOR NO KEY UPDATE OF k'),
];
const [LIST_BY_SUBJECT, LIST_BY_USER] = [selectAll(BY_SUBJECT), selectAll(BY_USER)];
const LOCK_OWNER_SHARED = statement<{ active: boolean }>('SELECT active FROM users WHERE id = $1 FOR SHARE');
const LOCK_OWNER_EXCLUSIVE = statement<{ active: boolean }>('SELECT active FROM users WHERE id = $1 FOR NO KEY UPDATE');

/** The stored virtual API keys. */
@Injectable()
export class KeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists keys, newest first: at most `limit` not revoked ones, then `revoked` revoked ones. */
  list(owner: KeyOwner, limit: number, revoked: number): Promise<StoredKey[]> {
    const query = 'user_id' in owner ? LIST_BY_USER : LIST_BY_SUBJECT;
    return query.rows(this.dataSource.manager, [...getOwnerParameters(owner), limit, revoked]);
  }

  /** Finds one of an owner's keys. */
  find(owner: KeyOwner, id: string): Promise<StoredKey | undefined> {
    const query = 'user_id' in owner ? FIND_BY_USER : FIND_BY_SUBJECT;
    return query.row(this.dataSource.manager, [...getOwnerParameters(owner), id]);
  }

  /** Finds one of an owner's keys and locks it until the end of the transaction. */
  findForUpdate(manager: EntityManager, owner: KeyOwner, id: string): Promise<StoredKey | undefined> {
    const query = 'user_id' in owner ? LOCK_BY_USER : LOCK_BY_SUBJECT;
    return query.row(manager, [...getOwnerParameters(owner), id]);
  }

  /**
   * Locks a directory entry, so that it stays active until the end of the transaction.
   * @param mode `exclusive` also excludes other exclusive and shared locks of this method
   * @returns whether the entry exists and is active
   */
  async lockActiveOwner(manager: EntityManager, userId: string, mode: 'shared' | 'exclusive'): Promise<boolean> {
    const row = await (mode === 'exclusive' ? LOCK_OWNER_EXCLUSIVE : LOCK_OWNER_SHARED).row(manager, [userId]);
    return row?.active === true;
  }

  /** Counts a user's keys that are neither revoked nor expired. */
  async countAgainstLimit(manager: EntityManager, issuer: string, subject: string, now: string): Promise<number> {
    const rows: { keys: number }[] = await manager.query(
      `SELECT count(*) AS keys FROM virtual_keys
       WHERE issuer = $1 AND subject = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)`,
      [issuer, subject, now],
    );
    return rows[0]?.keys ?? 0;
  }

  /** Inserts a key. @returns false when its id is already in use */
  async insert(manager: EntityManager, key: NewKey): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `WITH made AS (
         INSERT INTO virtual_keys (id, issuer, subject, user_id, name, metadata, secret_hash, expires_at, created_at, created_by)
         VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING id)
       SELECT id FROM made`,
      [
        key.id,
        key.issuer,
        key.subject,
        key.user_id,
        key.name,
        JSON.stringify(key.metadata),
        key.secret_hash,
        key.expires_at,
        key.created_at,
        key.created_by,
      ],
    );
    return rows.length > 0;
  }

  /** Updates the columns that an action changes. */
  async updateStatus(manager: EntityManager, id: string, change: KeyChange): Promise<void> {
    await manager.update(VirtualKeyRow, { id }, change);
  }

  /** Updates the secrets after a rotation. */
  async updateSecrets(
    manager: EntityManager,
    id: string,
    secrets: KeySecrets,
    requests: readonly string[],
  ): Promise<void> {
    await manager.update(VirtualKeyRow, { id }, { ...secrets, rotation_requests: [...requests] });
  }

  /**
   * Updates when keys were last used; the latest time of all replicas counts. Rows are written in
   * the order of their ids, so that concurrent writes cannot deadlock.
   */
  async updateLastUses(uses: ReadonlyMap<string, string>): Promise<void> {
    const sorted = [...uses].sort(([one], [other]) => (one < other ? -1 : 1));
    await this.dataSource.query(
      `INSERT INTO virtual_key_uses AS held (key_id, last_used_at)
       SELECT used.id, used.at FROM unnest($1::text[], $2::timestamptz[]) WITH ORDINALITY AS used (id, at, place)
       JOIN virtual_keys k ON k.id = used.id ORDER BY place
       ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at WHERE held.last_used_at < excluded.last_used_at`,
      [sorted.map(([id]) => id), sorted.map(([, at]) => at)],
    );
  }
}

const getOwnerParameters = (owner: KeyOwner): [string, string | null] =>
  'user_id' in owner ? [owner.user_id, null] : [owner.issuer, owner.subject];
