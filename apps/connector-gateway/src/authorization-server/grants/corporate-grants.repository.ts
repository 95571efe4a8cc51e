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

const FIND = statement<Row>(
  `SELECT id, issuer, subject, key_version, wrapped_key, ciphertext, ends_at, version
   FROM corporate_grants WHERE id = $1 AND expires_at > now()`,
);
const INSERT = statement(
  `INSERT INTO corporate_grants (id, issuer, subject, key_version, wrapped_key, ciphertext, ends_at, expires_at, refreshed_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 second', clock_timestamp())`,
);
// A grant that ended in the meantime stays ended.
const UPDATE = statement<{ version: number }>(
  `UPDATE corporate_grants SET key_version = $3, wrapped_key = $4, ciphertext = $5, ends_at = $6,
     refreshed_at = clock_timestamp(), version = version + 1
   WHERE id = $1 AND version = $2 RETURNING version`,
);
const DELETE_EXPIRED = statement('DELETE FROM corporate_grants WHERE expires_at <= now()');

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

  /** Finds a grant that has not been ended. */
  async find(id: string): Promise<CorporateGrant | undefined> {
    // In a transaction, a second connection of the pool may never come.
    const row = await this.transaction.read((manager) => FIND.row(manager, [id]));
    if (row === undefined) return undefined;
    const { issuer, subject, ends_at, version, ...sealed } = row;
    const text = Buffer.from(this.cipher.open(sealed, getContext(id, issuer, subject))).toString();
    const { tokens, claims } = JSON.parse(text) as Pick<CorporateGrant, 'tokens' | 'claims'>;
    const endsAt = ends_at === null ? undefined : new Date(ends_at);
    return { id, issuer, subject, tokens, claims, endsAt, version };
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
   * @returns the new version; undefined if another change came first, or the grant has ended
   */
  async update(grant: CorporateGrant): Promise<number | undefined> {
    const values = [grant.id, grant.version, ...this.seal(grant), grant.endsAt ?? null];
    return (await UPDATE.row(this.dataSource.manager, values))?.version;
  }

  async sweep(): Promise<void> {
    await DELETE_EXPIRED.rows(this.dataSource.manager);
  }

  private seal({ id, issuer, subject, tokens, claims }: NewCorporateGrant): [number, Buffer, Buffer] {
    const text = Buffer.from(JSON.stringify({ tokens, claims }));
    const { key_version, wrapped_key, ciphertext } = this.cipher.seal(text, getContext(id, issuer, subject));
    return [key_version, wrapped_key, ciphertext];
  }
}
