import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Stored } from '../../database/stored.ts';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import type { SigningKeyRow } from './signing-key.entity.ts';

/** A stored key without its private key. */
export type StoredSigningKey = Stored<SigningKeyRow>;

const KEYS = statement<StoredSigningKey>(`
  SELECT kid, state, x, y, created_at, activated_at, retired_at, shown_until FROM signing_keys
  ORDER BY array_position(ARRAY['next', 'current', 'previous'], state), created_at DESC, kid`);
const SECRET = statement<SealedValue>(
  'SELECT key_version, wrapped_key, ciphertext FROM signing_key_secrets WHERE id = $1',
);

/** Stores signing keys. */
@Injectable()
export class SigningKeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Locks the keys against changes by other replicas until the transaction ends. */
  async lock(manager: EntityManager): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('signing keys', 0))`);
  }

  /** Returns all keys: next, current, then previous keys, newest first. */
  list(manager: EntityManager = this.dataSource.manager): Promise<StoredSigningKey[]> {
    return KEYS.rows(manager);
  }

  /** Returns the encrypted private key of a signing key. */
  findSecret(kid: string, manager: EntityManager = this.dataSource.manager): Promise<SealedValue | undefined> {
    return SECRET.row(manager, [kid]);
  }

  /** Stores a new key. */
  async insert(manager: EntityManager, key: StoredSigningKey, sealed: SealedValue): Promise<void> {
    await manager.query(
      `INSERT INTO signing_keys (kid, state, x, y, created_at, activated_at, retired_at, shown_until)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [key.kid, key.state, key.x, key.y, key.created_at, key.activated_at, key.retired_at, key.shown_until],
    );
    await manager.query(
      'INSERT INTO signing_key_secrets (id, key_version, wrapped_key, ciphertext) VALUES ($1, $2, $3, $4)',
      [key.kid, sealed.key_version, sealed.wrapped_key, sealed.ciphertext],
    );
  }

  /** Makes a key the current key. */
  async activate(manager: EntityManager, kid: string, now: string): Promise<void> {
    await manager.query(`UPDATE signing_keys SET state = 'current', activated_at = $2 WHERE kid = $1`, [kid, now]);
  }

  /** Makes a key a previous key, which only verifies, and deletes its private key. */
  async retire(manager: EntityManager, kid: string, now: string, getShownUntil: string): Promise<void> {
    await manager.query(
      `UPDATE signing_keys SET state = 'previous', retired_at = $2, shown_until = $3 WHERE kid = $1`,
      [kid, now, getShownUntil],
    );
    await manager.query('DELETE FROM signing_key_secrets WHERE id = $1', [kid]);
  }

  /** Deletes a key. */
  async delete(manager: EntityManager, kid: string): Promise<void> {
    await manager.query('DELETE FROM signing_keys WHERE kid = $1', [kid]);
  }

  /** Deletes the keys that have left the key set. */
  async deleteExpired(manager: EntityManager, now: string): Promise<void> {
    await manager.query('DELETE FROM signing_keys WHERE shown_until <= $1', [now]);
  }

  /**
   * Returns the latest expiry of everything that a key has signed; null without any. An envelope
   * has its own expiry; a checkpoint expires when its chain of tool calls is dropped, at most one
   * month after the retention.
   */
  async findLatestExpiry(manager: EntityManager, kid: string): Promise<string | null> {
    const [row]: { last_end: string | null }[] = await manager.query(
      `SELECT greatest(
         (SELECT max(not_after) FROM config_issues WHERE kid = $1),
         (SELECT max(signed_at) FROM tool_call_checkpoints WHERE key_id = $1) + (SELECT make_interval(days => days + 31) FROM tool_call_retention)) AS last_end`,
      [kid],
    );
    return row?.last_end ?? null;
  }
}
