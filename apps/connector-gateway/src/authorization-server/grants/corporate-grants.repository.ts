import { statement } from '@gatehouse/database/statement';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import type { TokenSet } from '@gatehouse/oauth-client/tokens';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { WriteTransaction } from '../storage/write-transaction.ts';
import type { CorporateClaims } from './corporate-claims.ts';

/** The corporate sign-in behind a grant of the authorization server. */
export interface CorporateGrant {
  /** Digest of the id of the grant. */
  id: string;
  issuer: string;
  subject: string;
  tokens: TokenSet;
  claims: CorporateClaims;
  /** End of the sign-in without a refresh; undefined while it can be refreshed. */
  endsAt: Date | undefined;
  /** Counts the changes of the tokens. */
  version: number;
}

/** A sign-in that is stored for the first time. */
export type NewCorporateGrant = Omit<CorporateGrant, 'version'>;

interface Row extends SealedValue {
  id: string;
  issuer: string;
  subject: string;
  ends_at: string | null;
  version: number;
}

const SELECT = `SELECT id, issuer, subject, key_version, wrapped_key, ciphertext, ends_at, version
   FROM corporate_grants WHERE expires_at > now()`;
const FIND = statement<Row>(`${SELECT} AND id = $1 AND (revoke_at IS NOT NULL) = $2`);
const FIND_NEWEST = statement<Row>(
  `${SELECT} AND issuer = $1 AND subject = $2 AND id <> $3 AND ends_at IS NULL AND revoke_at IS NULL
   ORDER BY refreshed_at DESC LIMIT 1`,
);
const FIND_ACTIVE = statement<{ id: string }>(
  'SELECT id FROM corporate_grants WHERE id = $1 AND expires_at > now() AND revoke_at IS NULL',
);
const INSERT = statement(
  `INSERT INTO corporate_grants (id, issuer, subject, key_version, wrapped_key, ciphertext, ends_at, expires_at, refreshed_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 second', clock_timestamp())`,
);
// A grant that ended in the meantime stays ended, and its newest token is the one to revoke.
const UPDATE = statement<{ version: number }>(
  `UPDATE corporate_grants SET key_version = $3, wrapped_key = $4, ciphertext = $5, ends_at = $6,
     refreshed_at = CASE WHEN $7 THEN clock_timestamp() ELSE refreshed_at END, version = version + 1
   WHERE id = $1 AND version = $2 RETURNING version`,
);
// The tokens of a grant that expires are revoked, for a day at most.
const END_EXPIRED = statement(
  `UPDATE corporate_grants SET revoke_at = now(), expires_at = now() + interval '1 day'
   WHERE expires_at <= now() AND revoke_at IS NULL`,
);
const DELETE_EXPIRED = statement('DELETE FROM corporate_grants WHERE expires_at <= now() AND revoke_at IS NOT NULL');
const CLAIM_ENDED = statement<{ id: string }>(
  `UPDATE corporate_grants SET revoke_at = now() + interval '1 minute' WHERE id IN (
     SELECT id FROM corporate_grants WHERE revoke_at <= now() AND expires_at > now()
     ORDER BY revoke_at LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id`,
);
const DELETE_ENDED = statement('DELETE FROM corporate_grants WHERE id = $1 AND revoke_at IS NOT NULL');

/** Binds encrypted tokens to the grant and the person. */
const getContext = (id: string, issuer: string, subject: string): string =>
  JSON.stringify(['corporate_grant', id, issuer, subject]);

/** Stores the corporate tokens of grants, encrypted, for all replicas. */
@Injectable()
export class CorporateGrantsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: EnvelopeCipher,
    private readonly transaction: WriteTransaction,
    tables: SealedTables,
  ) {
    tables.register({
      table: 'corporate_grants',
      idType: 'text',
      contextColumns: ['issuer', 'subject'],
      getContext: ({ id, issuer, subject }) => getContext(id, String(issuer), String(subject)),
    });
  }

  /**
   * Finds a grant.
   * @param hasEnded whether it has been ended, and waits for its revocation
   */
  async find(id: string, hasEnded = false): Promise<CorporateGrant | undefined> {
    // In a transaction, a second connection of the pool may never come.
    const row = await this.transaction.read((manager) => FIND.row(manager, [id, hasEnded]));
    return row && this.open(row);
  }

  /** Of the other grants of the person, the one with the newest tokens that can be refreshed. */
  async findNewestOther({ issuer, subject, id }: CorporateGrant): Promise<CorporateGrant | undefined> {
    const row = await this.transaction.read((manager) => FIND_NEWEST.row(manager, [issuer, subject, id]));
    return row && this.open(row);
  }

  /**
   * Stores a grant in the transaction of the request.
   * @param seconds after which the grant is removed in any case
   */
  async create(grant: NewCorporateGrant, seconds: number): Promise<void> {
    const { id, issuer, subject, endsAt } = grant;
    const values = [id, issuer, subject, ...this.seal(grant), endsAt ?? null, seconds];
    await this.transaction.write((manager) => INSERT.rows(manager, values));
  }

  /**
   * Replaces the tokens and claims of a version, in a statement that commits by itself.
   * @param isOwn false for tokens that the provider issued for another grant of the person
   * @returns the new version; undefined if another change came first, or the grant has ended
   */
  async update(grant: CorporateGrant, isOwn: boolean): Promise<number | undefined> {
    const values = [grant.id, grant.version, ...this.seal(grant), grant.endsAt ?? null, isOwn];
    return (await UPDATE.row(this.dataSource.manager, values))?.version;
  }

  /** Whether a grant has not been ended. */
  async isActive(id: string): Promise<boolean> {
    return (await FIND_ACTIVE.row(this.dataSource.manager, [id])) !== undefined;
  }

  /** Takes ended grants whose tokens are to be revoked; no other replica gets them for a minute. */
  async claimEnded(limit: number): Promise<string[]> {
    return (await CLAIM_ENDED.rows(this.dataSource.manager, [limit])).map(({ id }) => id);
  }

  /** Removes an ended grant. */
  async removeEnded(id: string): Promise<void> {
    await DELETE_ENDED.rows(this.dataSource.manager, [id]);
  }

  /** Ends expired grants, and removes those whose tokens could not be revoked for a day. */
  async sweep(): Promise<void> {
    await DELETE_EXPIRED.rows(this.dataSource.manager);
    await END_EXPIRED.rows(this.dataSource.manager);
  }

  private open({ id, issuer, subject, ends_at, version, ...sealed }: Row): CorporateGrant {
    const text = Buffer.from(this.cipher.open(sealed, getContext(id, issuer, subject))).toString();
    const { tokens, claims } = JSON.parse(text) as Pick<CorporateGrant, 'tokens' | 'claims'>;
    const endsAt = ends_at === null ? undefined : new Date(ends_at);
    return { id, issuer, subject, tokens, claims, endsAt, version };
  }

  private seal({ id, issuer, subject, tokens, claims }: NewCorporateGrant): [number, Buffer, Buffer] {
    const text = Buffer.from(JSON.stringify({ tokens, claims }));
    const { key_version, wrapped_key, ciphertext } = this.cipher.seal(text, getContext(id, issuer, subject));
    return [key_version, wrapped_key, ciphertext];
  }
}
