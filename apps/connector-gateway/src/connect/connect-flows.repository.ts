import { statement } from '@gatehouse/database/statement';
import { inTransaction } from '@gatehouse/database/transaction';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import type { PendingAuthorization } from '@gatehouse/oauth-client/authorization';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { LinkedConnector } from './connect-links.ts';

/** Lifetime of a state, from the consent to the callback. */
export const FLOW_LIFETIME_MS = 600_000;

/** Most pending sign-ins of one user; a further one is refused until one ends or expires. */
const MAX_PENDING = 20;

/** How long ended and expired rows are kept, so that a replay is told from an unknown state. */
const KEPT_MS = 3_600_000;

/** An approved authorization request, and the parties that it is bound to. */
export interface ApprovedRequest {
  readonly pending: PendingAuthorization;
  readonly providerIssuer: string;
  readonly clientId: string;
  /** Origin of the connector's server, as the user saw it. */
  readonly upstreamOrigin: string;
}

/** A stored sign-in. */
export interface ConnectFlow extends LinkedConnector {
  readonly state: 'pending' | 'used' | 'expired';
  readonly browserHash: Buffer;
}

interface FlowRow {
  issuer: string;
  subject: string;
  connector_id: string;
  browser_hash: Buffer;
  state: 'pending' | 'used' | 'expired';
}

const LOCK_PERSON = statement<object>('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');
const PRUNE = statement<object>('DELETE FROM connect_flows WHERE expires_at < $1');
const COUNT = statement<{ pending: number }>(
  `SELECT count(*)::integer AS pending FROM connect_flows
   WHERE issuer = $1 AND subject = $2 AND expires_at > $3 AND used_at IS NULL`,
);
const INSERT = statement<object>(
  `INSERT INTO connect_flows (id, issuer, subject, connector_id, browser_hash, key_version, wrapped_key, ciphertext, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const FIND = statement<FlowRow>(
  `SELECT issuer, subject, connector_id, browser_hash,
          CASE WHEN used_at IS NOT NULL THEN 'used' WHEN expires_at > $2 THEN 'pending' ELSE 'expired' END AS state
   FROM connect_flows WHERE id = $1`,
);
const USE = statement<SealedValue>(
  `UPDATE connect_flows SET used_at = $2 WHERE id = $1 AND used_at IS NULL AND expires_at > $2
   RETURNING key_version, wrapped_key, ciphertext`,
);

/** Stores the sign-ins between consent and callback, for all replicas. */
@Injectable()
export class ConnectFlowsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: EnvelopeCipher,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a sign-in.
   * @returns false if the user has too many pending ones
   * @throws MissingKeyError without a key-encryption key
   */
  async save(owner: LinkedConnector, browserHash: Buffer, request: ApprovedRequest): Promise<boolean> {
    const { issuer, subject, connectorId } = owner;
    const id = createId(request.pending.state);
    const sealed = this.cipher.seal(Buffer.from(JSON.stringify(request)), getContext(id, owner));
    const now = this.clock.now();
    return inTransaction(this.dataSource, async (manager) => {
      await PRUNE.rows(manager, [new Date(now.getTime() - KEPT_MS)]);
      await LOCK_PERSON.rows(manager, [JSON.stringify(['connect', issuer, subject])]);
      const { pending: count = 0 } = (await COUNT.row(manager, [issuer, subject, now])) ?? {};
      if (count >= MAX_PENDING) return false;
      const expiresAt = new Date(now.getTime() + FLOW_LIFETIME_MS);
      const { key_version, wrapped_key, ciphertext } = sealed;
      const values = [id, issuer, subject, connectorId, browserHash, key_version, wrapped_key, ciphertext, expiresAt];
      await INSERT.rows(manager, values);
      return true;
    });
  }

  /** The sign-in of a state; undefined for an unknown one. */
  async find(state: string): Promise<ConnectFlow | undefined> {
    const row = await FIND.row(this.dataSource.manager, [createId(state), this.clock.now()]);
    return (
      row && {
        issuer: row.issuer,
        subject: row.subject,
        connectorId: row.connector_id,
        browserHash: row.browser_hash,
        state: row.state,
      }
    );
  }

  /**
   * Uses a state. Only one of any number of calls gets the request, also on several replicas and
   * after a crash.
   * @returns undefined for a state that is used or expired
   */
  async use(state: string, owner: LinkedConnector): Promise<ApprovedRequest | undefined> {
    const id = createId(state);
    const sealed = await USE.row(this.dataSource.manager, [id, this.clock.now()]);
    if (sealed === undefined) return undefined;
    return JSON.parse(Buffer.from(this.cipher.open(sealed, getContext(id, owner))).toString()) as ApprovedRequest;
  }
}

const createId = (state: string): string => createHash('sha256').update(state).digest('hex');

/** Binds a sealed request to its user and connector. */
const getContext = (id: string, { issuer, subject, connectorId }: LinkedConnector): string =>
  JSON.stringify(['connect_flow', id, issuer, subject, connectorId]);
