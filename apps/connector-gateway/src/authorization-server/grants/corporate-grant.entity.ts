import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The corporate sign-in behind a grant of the authorization server, with its encrypted tokens. */
@Entity('corporate_grants')
@Index('corporate_grants_expiry', ['expires_at'])
@Index('corporate_grants_person', ['issuer', 'subject'])
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

  /** Counts the changes of the tokens. */
  @Column('integer', { default: 1 })
  version!: number;
}
