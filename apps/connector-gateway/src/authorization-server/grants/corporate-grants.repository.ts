import { statement } from '@gatehouse/database/statement';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import type { TokenSet } from '@gatehouse/oauth-client/tokens';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
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
  /** Time of the last refresh, which changes with each. */
  refreshedAt: string;
}

/** A sign-in that is stored for the first time. */
export type NewCorporateGrant = Omit<CorporateGrant, 'refreshedAt'>;

interface Row extends SealedValue {
  id: string;
  issuer: string;
  subject: string;
  ends_at: string | null;
  refreshed_at: string;
}

const FIND = statement<Row>(
  `SELECT id, issuer, subject, key_version, wrapped_key, ciphertext, ends_at, refreshed_at
   FROM corporate_grants WHERE id = $1 AND expires_at > now()`,
);
const INSERT = statement(
  `INSERT INTO corporate_grants (id, issuer, subject, key_version, wrapped_key, ciphertext, ends_at, expires_at, refreshed_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 second', clock_timestamp())`,
);
// A grant that ended in the meantime stays ended.
const UPDATE = statement(
  `UPDATE corporate_grants SET key_version = $2, wrapped_key = $3, ciphertext = $4, ends_at = $5, refreshed_at = clock_timestamp()
   WHERE id = $1`,
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
    const row = await FIND.row(this.dataSource.manager, [id]);
    if (row === undefined) return undefined;
    const { issuer, subject, ends_at, refreshed_at, ...sealed } = row;
    const text = Buffer.from(this.cipher.open(sealed, getContext(id, issuer, subject))).toString();
    const { tokens, claims } = JSON.parse(text) as Pick<CorporateGrant, 'tokens' | 'claims'>;
    const endsAt = ends_at === null ? undefined : new Date(ends_at);
    return { id, issuer, subject, tokens, claims, endsAt, refreshedAt: refreshed_at };
  }

  /** @param seconds after which the grant is removed in any case */
  async create(grant: NewCorporateGrant, seconds: number): Promise<void> {
    const { id, issuer, subject, endsAt } = grant;
    await INSERT.rows(this.dataSource.manager, [id, issuer, subject, ...this.seal(grant), endsAt ?? null, seconds]);
  }

  /** Replaces tokens and claims in a statement that commits by itself. */
  async update(grant: NewCorporateGrant): Promise<void> {
    await UPDATE.rows(this.dataSource.manager, [grant.id, ...this.seal(grant), grant.endsAt ?? null]);
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
