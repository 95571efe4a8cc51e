import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, LessThanOrEqual } from 'typeorm';
import type { Stored } from '@gatehouse/database/stored';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { SigningKeyRow, SigningKeySecretRow } from './signing-key.entity.ts';

/** A stored key without its private key. */
export type StoredSigningKey = Stored<SigningKeyRow>;

const KEYS = statement<StoredSigningKey>(`
  SELECT kid, state, x, y, created_at, activated_at, retired_at, shown_until FROM signing_keys
  ORDER BY array_position(ARRAY['next', 'current', 'previous'], state), created_at DESC, kid`);

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
  findSecret(kid: string, manager: EntityManager = this.dataSource.manager): Promise<SealedValue | null> {
    return manager.findOneBy(SigningKeySecretRow, { id: kid });
  }

  /** Stores a new key. */
  async insert(manager: EntityManager, key: StoredSigningKey, sealed: SealedValue): Promise<void> {
    await manager.insert(SigningKeyRow, key);
    await manager.insert(SigningKeySecretRow, { id: key.kid, ...sealed });
  }

  /** Makes a key the current key. */
  async activate(manager: EntityManager, kid: string, now: string): Promise<void> {
    await manager.update(SigningKeyRow, { kid }, { state: 'current', activated_at: now });
  }

  /** Makes a key a previous key, which only verifies, and deletes its private key. */
  async retire(manager: EntityManager, kid: string, now: string, shownUntil: string): Promise<void> {
    await manager.update(SigningKeyRow, { kid }, { state: 'previous', retired_at: now, shown_until: shownUntil });
    await manager.delete(SigningKeySecretRow, { id: kid });
  }

  /** Deletes a key. */
  async delete(manager: EntityManager, kid: string): Promise<void> {
    await manager.delete(SigningKeyRow, { kid });
  }

  /** Deletes the keys that have left the key set. */
  async deleteExpired(manager: EntityManager, now: string): Promise<void> {
    await manager.delete(SigningKeyRow, { shown_until: LessThanOrEqual(now) });
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
