import { statement } from '@gatehouse/database/statement';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { computeDigest } from './digest.ts';
import { WriteTransaction } from './write-transaction.ts';

const UPSERT = statement(
  `INSERT INTO oidc_payloads AS held
     (id, model, key_version, wrapped_key, ciphertext, grant_digest, uid_digest, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now() + $8 * interval '1 second')
   ON CONFLICT (id) DO UPDATE SET key_version = excluded.key_version, wrapped_key = excluded.wrapped_key,
     ciphertext = excluded.ciphertext, grant_digest = excluded.grant_digest, uid_digest = excluded.uid_digest,
     expires_at = CASE WHEN held.model = 'Client' THEN held.expires_at ELSE excluded.expires_at END`,
);
const COLUMNS = 'id, key_version, wrapped_key, ciphertext';
// An object counts as used when its grace is over.
const FIND = statement<Stored>(
  `SELECT ${COLUMNS}, CASE WHEN consumed_at <= now() - $2 * interval '1 second'
     THEN extract(epoch FROM consumed_at)::integer END AS consumed
   FROM oidc_payloads WHERE id = $1 AND expires_at > now()`,
);
const FIND_BY_UID = statement<Stored>(
  `SELECT ${COLUMNS}, extract(epoch FROM consumed_at)::integer AS consumed
   FROM oidc_payloads WHERE uid_digest = $1 AND model = $2 AND expires_at > now()`,
);
// A use of a code or a token and the end of its grant come one after another.
const LOCK_GRANT_OF = statement(
  `SELECT grant_row.id FROM oidc_payloads AS held JOIN oidc_payloads AS grant_row ON grant_row.id = 'Grant:' || held.grant_digest
   WHERE held.id = $1 FOR UPDATE OF grant_row`,
);
const LOCK_GRANT = statement("SELECT id FROM oidc_payloads WHERE id = 'Grant:' || $1 FOR UPDATE");
// A concurrent use waits for the row and then finds it used.
const CONSUME = statement<{ grant_digest: string | null; is_old: boolean }>(
  `UPDATE oidc_payloads SET consumed_at = now() WHERE id = $1 AND consumed_at IS NULL
   RETURNING grant_digest, created_at < now() - $2 * interval '1 second' AS is_old`,
);
// The grace begins at the first use.
const FIND_REUSABLE = statement<{ id: string }>(
  "SELECT id FROM oidc_payloads WHERE id = $1 AND consumed_at > now() - $2 * interval '1 second'",
);
// They count as used without a grace.
const SUPERSEDE = statement(
  `UPDATE oidc_payloads SET consumed_at = now() - interval '1 day' WHERE grant_digest = $1 AND model = $2 AND consumed_at IS NULL`,
);
const FIND_GRANT = statement<{ grant_digest: string | null }>('SELECT grant_digest FROM oidc_payloads WHERE id = $1');
const DELETE = statement<{ id: string }>('DELETE FROM oidc_payloads WHERE id = $1 RETURNING id');
const DELETE_GRANT = statement(
  `WITH ended AS (
     UPDATE corporate_grants SET revoke_at = now(), expires_at = least(expires_at, now() + interval '1 day')
     WHERE id = $1 AND revoke_at IS NULL)
   DELETE FROM oidc_payloads WHERE grant_digest = $1 OR id = 'Grant:' || $1`,
);
const DELETE_EXPIRED = statement<{ id: string }>(
  `DELETE FROM oidc_payloads WHERE id IN (SELECT id FROM oidc_payloads WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);
const EXTEND = statement(
  `UPDATE oidc_payloads SET expires_at = now() + $2 * interval '1 second'
   WHERE id = $1 AND expires_at < now() + ($2 - 3600) * interval '1 second'`,
);

const COUNT_CLIENTS = statement<{ clients: number }>(
  "SELECT count(*)::integer AS clients FROM oidc_payloads WHERE model = 'Client' AND expires_at > now()",
);
// A client that a user has signed in to expires later than an hour from now.
const DELETE_UNUSED_CLIENT = statement<{ id: string }>(
  `DELETE FROM oidc_payloads WHERE id = (
     SELECT id FROM oidc_payloads WHERE model = 'Client' AND expires_at <= now() + interval '1 hour'
     ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`,
);

type Stored = SealedValue & { id: string; consumed: number | null };

/** The JSON of a stored object. */
export type Payload = Record<string, unknown> & { grantId?: string | undefined; uid?: string | undefined };

/** Binds an encrypted object to its row. */
const getContext = (id: string): string => `oidc_payload:${id}`;

const createRowId = (model: string, id: string): string => `${model}:${computeDigest(id)}`;

/**
 * Seconds after its first use in which an object of this kind can be used again. Clients send a
 * refresh token several times: for each of their parallel requests, and after a lost response.
 */
const REUSE_SECONDS: Readonly<Record<string, number>> = { RefreshToken: 10 };

const getReuseSeconds = (model: string): number => REUSE_SECONDS[model] ?? 0;

/** Age of a token at which its client has stored it, in seconds: parallel requests have ended. */
const SETTLED_SECONDS = 60;

/** Rows that one statement removes. */
const SWEEP_ROWS = 1_000;

/** Stores the objects of the authorization server, encrypted, for all replicas. */
@Injectable()
export class PayloadsRepository {
  /** Is called after the end of a grant is stored. */
  onGrantEnded: () => void = () => undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: EnvelopeCipher,
    private readonly transaction: WriteTransaction,
    tables: SealedTables,
  ) {
    tables.register({
      table: 'oidc_payloads',
      idType: 'text',
      contextColumns: [],
      getContext: ({ id }) => getContext(id),
    });
  }

  /** Stores an object, or replaces it. A client that is stored keeps its expiry. */
  async upsert(model: string, id: string, payload: Payload, seconds: number): Promise<void> {
    const row = createRowId(model, id);
    const sealed = this.cipher.seal(Buffer.from(JSON.stringify(payload)), getContext(row));
    const { grantId, uid } = payload;
    const digests = [grantId, uid].map((value) => (value === undefined ? null : computeDigest(value)));
    const { key_version, wrapped_key, ciphertext } = sealed;
    const values = [row, model, key_version, wrapped_key, ciphertext, ...digests, seconds];
    await this.transaction.write((manager) => UPSERT.rows(manager, values));
  }

  /** An object that has not expired. `consumed` is its use in seconds since the epoch. */
  async find(model: string, id: string): Promise<Payload | undefined> {
    const values = [createRowId(model, id), getReuseSeconds(model)];
    const row = await this.transaction.read((manager) => FIND.row(manager, values));
    return row && this.open(row);
  }

  /** A session by its `uid`. */
  async findByUid(model: string, uid: string): Promise<Payload | undefined> {
    const row = await this.transaction.read((manager) => FIND_BY_UID.row(manager, [computeDigest(uid), model]));
    return row && this.open(row);
  }

  /**
   * Marks the use of an object. The first use of a refresh token that is not quite new ends the
   * other unused ones of the grant: those of repetitions, of which the client keeps only one.
   * @returns false if it was used before, its grace is over, or it does not exist
   */
  consume(model: string, id: string): Promise<boolean> {
    const row = createRowId(model, id);
    return this.transaction.write(async (manager) => {
      await LOCK_GRANT_OF.rows(manager, [row]);
      const used = await CONSUME.row(manager, [row, SETTLED_SECONDS]);
      if (used === undefined) return (await FIND_REUSABLE.row(manager, [row, getReuseSeconds(model)])) !== undefined;
      if (used.is_old && used.grant_digest !== null && getReuseSeconds(model) > 0)
        await SUPERSEDE.rows(manager, [used.grant_digest, model]);
      return true;
    });
  }

  /** Ends the grant of an object: removes codes and tokens; the corporate ones are then revoked. */
  async endGrantOf(model: string, id: string): Promise<void> {
    await this.transaction.write(async (manager) => {
      const row = await FIND_GRANT.row(manager, [createRowId(model, id)]);
      if (row?.grant_digest != null) await this.deleteGrant(manager, row.grant_digest);
    });
  }

  /** Ends a grant by its id. */
  async endGrant(grantId: string): Promise<void> {
    await this.transaction.write((manager) => this.deleteGrant(manager, computeDigest(grantId)));
  }

  /** Removes an object. @returns whether it existed: one of several callers gets true */
  async destroy(model: string, id: string): Promise<boolean> {
    const row = await this.transaction.write((manager) => DELETE.row(manager, [createRowId(model, id)]));
    return row !== undefined;
  }

  /** Lets an object live this long from now, if it would end more than an hour earlier. */
  async extend(model: string, id: string, seconds: number): Promise<void> {
    await this.transaction.write((manager) => EXTEND.rows(manager, [createRowId(model, id), seconds]));
  }

  /**
   * Makes room for one more client. At the limit it removes the unused client that expires first.
   * @returns false when all clients are in use
   */
  async makeRoomForClient(limit: number): Promise<boolean> {
    const { manager } = this.dataSource;
    const count = await COUNT_CLIENTS.row(manager);
    if (count === undefined || count.clients < limit) return true;
    return (await DELETE_UNUSED_CLIENT.row(manager)) !== undefined;
  }

  /** Removes expired objects. */
  async sweep(): Promise<void> {
    for (;;) {
      const removed = await DELETE_EXPIRED.rows(this.dataSource.manager, [SWEEP_ROWS]);
      if (removed.length < SWEEP_ROWS) return;
    }
  }

  private async deleteGrant(manager: EntityManager, digest: string): Promise<void> {
    await LOCK_GRANT.rows(manager, [digest]);
    await DELETE_GRANT.rows(manager, [digest]);
    this.transaction.afterCommit(this.onGrantEnded);
  }

  private open({ id, consumed, ...sealed }: Stored): Payload {
    const payload = JSON.parse(Buffer.from(this.cipher.open(sealed, getContext(id))).toString()) as Payload;
    return consumed === null ? payload : { ...payload, consumed };
  }
}
