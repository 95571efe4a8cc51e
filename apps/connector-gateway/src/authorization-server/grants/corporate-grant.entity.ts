import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The corporate sign-in behind a grant of the authorization server, with its encrypted tokens. */
@Entity('corporate_grants')
@Index('corporate_grants_expiry', ['expires_at'])
@Index('corporate_grants_person', ['issuer', 'subject'])
@Index('corporate_grants_revocation', ['revoke_at'], { where: 'revoke_at IS NOT NULL' })
export class CorporateGrantRow {
  /** Digest of the id of the grant. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'corporate_grants_pkey' })
  id!: string;

  /** The person at the corporate provider. */
  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  /** See SealedValue in libs/envelope. */
  @Column('integer')
  key_version!: number;

  @Column('bytea')
  wrapped_key!: Buffer;

  @Column('bytea')
  ciphertext!: Buffer;

  /** End of the corporate tokens without a refresh; null while they can be refreshed. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ends_at!: string | null;

  /** The grant is unused after this time, and its tokens are removed. */
  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  refreshed_at!: string;

  /**
   * The time of the next attempt to revoke the tokens at the provider; null until the grant has
   * ended.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revoke_at!: string | null;

  /** Counts the changes of the tokens. */
  @Column('integer', { default: 1 })
  version!: number;
}
