import { DatabaseSync } from 'node:sqlite';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { MAX_CLIENTS, UNUSED_TTL, USED_TTL } from './registrations.ts';

/** Artifacts that exist only after a sign-in. They show that a client is used. */
const SIGN_IN_ARTIFACTS: ReadonlySet<string> = new Set(['Grant', 'AuthorizationCode', 'RefreshToken']);

const schema = `
  CREATE TABLE IF NOT EXISTS artifact (
    model TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL, expires_at INTEGER,
    grant_id TEXT, user_code TEXT, uid TEXT, PRIMARY KEY (model, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS artifact_grant ON artifact (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS artifact_user_code ON artifact (user_code) WHERE user_code IS NOT NULL;
  CREATE INDEX IF NOT EXISTS artifact_uid ON artifact (uid) WHERE uid IS NOT NULL;
`;

/**
 * Stores sessions, grants, refresh tokens and registered clients in one SQLite file. So users can
 * sign in while Postgres restarts, and the provider starts at the same time as Postgres. Every
 * write is durable before its answer, so `kill -9` loses none.
 */
export class Store {
  readonly #database: DatabaseSync;
  readonly #now: () => number;

  /** @param now seconds since the epoch */
  constructor(file: string, now: () => number = () => Math.floor(Date.now() / 1000)) {
    this.#database = new DatabaseSync(file);
    this.#now = now;
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000');
    this.#database.exec(schema);
    // Earlier releases stored clients without an expiry.
    this.#database
      .prepare(`UPDATE artifact SET expires_at = ? WHERE model = 'Client' AND expires_at IS NULL`)
      .run(this.#now() + USED_TTL);
    this.sweep();
  }

  /** Returns the adapter for one kind of artifact. */
  adapter(model: string): Adapter {
    const run = <T>(work: () => T): Promise<T> => new Promise((resolve) => resolve(work()));
    return {
      upsert: (id, payload, expiresIn) => run(() => this.#upsert(model, id, payload, expiresIn)),
      find: (id) => run(() => this.#find('id', model, id)),
      findByUid: (uid) => run(() => this.#find('uid', model, uid)),
      findByUserCode: (userCode) => run(() => this.#find('user_code', model, userCode)),
      consume: (id) => run(() => this.#consume(model, id)),
      destroy: (id) => run(() => this.#destroy(model, id)),
      revokeByGrantId: (grantId) => run(() => this.#revoke(grantId)),
    };
  }

  /** Removes expired artifacts and the registration tokens of removed clients. */
  sweep(): void {
    this.#database.prepare('DELETE FROM artifact WHERE expires_at <= ?').run(this.#now());
    this.#database.exec(
      `DELETE FROM artifact WHERE model = 'RegistrationAccessToken' AND payload ->> '$.clientId' NOT IN (
         SELECT id FROM artifact WHERE model = 'Client')`,
    );
  }

  /**
   * Makes room for one more registered client. At the limit it removes the unused client that
   * expires first.
   * @returns false when all clients are in use
   */
  makeRoomForClient(limit = MAX_CLIENTS): boolean {
    this.sweep();
    const count = this.#database.prepare(`SELECT count(*) AS clients FROM artifact WHERE model = 'Client'`).get();
    if (Number(count?.['clients']) < limit) return true;
    // An unused client expires within an hour. A used one in its last hour may be removed too.
    const { changes } = this.#database
      .prepare(
        `DELETE FROM artifact WHERE model = 'Client' AND id = (
           SELECT id FROM artifact WHERE model = 'Client' AND expires_at <= ? ORDER BY expires_at, rowid LIMIT 1)`,
      )
      .run(this.#now() + UNUSED_TTL);
    return changes > 0;
  }

  close(): void {
    this.#database.close();
  }

  #upsert(model: string, id: string, payload: AdapterPayload, expiresIn: number | undefined): void {
    if (SIGN_IN_ARTIFACTS.has(model) && payload.clientId !== undefined) this.#recordUse(payload.clientId);
    const expiresAt = model === 'Client' ? this.#clientExpiry(id) : this.#expiry(expiresIn);
    this.#database
      .prepare('INSERT OR REPLACE INTO artifact VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(
        model,
        id,
        JSON.stringify(payload),
        expiresAt,
        payload.grantId ?? null,
        payload.userCode ?? null,
        payload.uid ?? null,
      );
  }

  #expiry(expiresIn: number | undefined): number | null {
    return expiresIn === undefined ? null : this.#now() + expiresIn;
  }

  /** Returns the expiry of a client. A change of its metadata does not extend it. */
  #clientExpiry(id: string): number {
    const row = this.#database.prepare(`SELECT expires_at FROM artifact WHERE model = 'Client' AND id = ?`).get(id);
    return typeof row?.['expires_at'] === 'number' ? row['expires_at'] : this.#now() + UNUSED_TTL;
  }

  #recordUse(clientId: string): void {
    this.#database
      .prepare(`UPDATE artifact SET expires_at = ? WHERE model = 'Client' AND id = ?`)
      .run(this.#now() + USED_TTL, clientId);
  }

  #find(column: 'id' | 'uid' | 'user_code', model: string, value: string): AdapterPayload | undefined {
    const row = this.#database
      .prepare(
        `SELECT payload FROM artifact WHERE model = ? AND ${column} = ? AND (expires_at IS NULL OR expires_at > ?)`,
      )
      .get(model, value, this.#now());
    return typeof row?.['payload'] === 'string' ? (JSON.parse(row['payload']) as AdapterPayload) : undefined;
  }

  #consume(model: string, id: string): void {
    this.#database
      .prepare(`UPDATE artifact SET payload = json_set(payload, '$.consumed', ?) WHERE model = ? AND id = ?`)
      .run(this.#now(), model, id);
  }

  #destroy(model: string, id: string): void {
    this.#database.prepare('DELETE FROM artifact WHERE model = ? AND id = ?').run(model, id);
  }

  #revoke(grantId: string): void {
    this.#database.prepare('DELETE FROM artifact WHERE grant_id = ?').run(grantId);
  }
}
