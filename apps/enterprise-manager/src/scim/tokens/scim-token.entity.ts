import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { instant } from '@gatehouse/database/instant';

/** A static bearer token with which an issuer's directory provisions users and groups. */
@Entity('scim_tokens')
@Unique('scim_tokens_lookup_unique', ['lookup'])
@Index('scim_tokens_order', ['created_at', 'id'])
@Check('scim_tokens_previous_whole', '(previous_hash IS NULL) = (previous_valid_until IS NULL)')
export class ScimTokenRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'scim_tokens_pkey' })
  id!: string;

  /** `id` of an entry of ISSUERS. */
  @Column('text')
  issuer_id!: string;

  @Column('text')
  name!: string;

  /** The public part of the secret, which finds the row. It is the same for all secrets. */
  @Column('text')
  lookup!: string;

  /** SHA-256 of the whole secret. */
  @Column('bytea')
  secret_hash!: Buffer;

  /** SHA-256 of the previous secret in its grace period. */
  @Column('bytea', { nullable: true })
  previous_hash!: Buffer | null;

  @Column({ ...instant, nullable: true })
  previous_valid_until!: string | null;

  @Column({ ...instant, nullable: true })
  expires_at!: string | null;

  @Column({ ...instant, nullable: true })
  revoked_at!: string | null;

  /** Updated at most once a minute. */
  @Column({ ...instant, nullable: true })
  last_used_at!: string | null;

  /** Incremented by every change by an administrator. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column('text')
  created_by_issuer!: string;

  @Column('text')
  created_by_subject!: string;

  @Column(instant)
  created_at!: string;

  @Column(instant)
  updated_at!: string;
}
