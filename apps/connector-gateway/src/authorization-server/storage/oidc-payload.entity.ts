import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A stored object of the authorization server: a client, a grant, a code, a refresh token or the
 * state of a sign-in. What a caller could present is stored as a digest or encrypted.
 */
@Entity('oidc_payloads')
@Index('oidc_payloads_grant', ['grant_digest'], { where: 'grant_digest IS NOT NULL' })
@Index('oidc_payloads_uid', ['uid_digest'], { where: 'uid_digest IS NOT NULL' })
@Index('oidc_payloads_expiry', ['expires_at'])
@Index('oidc_payloads_creation', ['model', 'created_at'])
export class OidcPayloadRow {
  /** `<model>:<digest of the id>`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'oidc_payloads_pkey' })
  id!: string;

  /** The kind of the object, for example `RefreshToken`. */
  @Column('text')
  model!: string;

  /** See SealedValue in libs/envelope. */
  @Column('integer')
  key_version!: number;

  @Column('bytea')
  wrapped_key!: Buffer;

  @Column('bytea')
  ciphertext!: Buffer;

  /** Digest of the grant that the object belongs to. */
  @Column('text', { nullable: true })
  grant_digest!: string | null;

  /** Digest of the `uid` of a session. */
  @Column('text', { nullable: true })
  uid_digest!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: string;

  /** The use of a code or a refresh token, which has one use. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  consumed_at!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: string;
}
