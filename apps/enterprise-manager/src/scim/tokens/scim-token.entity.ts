import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { instant } from '../../database/instant.ts';

/** A static bearer token with which one issuer's directory provisions people and groups. */
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

  /**
   * The part of the secret under which the row is found; not secret itself, the same for all
   * secrets of the token.
   */
  @Column('text')
  lookup!: string;

  /** SHA-256 of the whole secret. */
  @Column('bytea')
  secret_hash!: Buffer;

  /** The same of the secret before the last rotation, while that one still works. */
  @Column('bytea', { nullable: true })
  previous_hash!: Buffer | null;

  @Column({ ...instant, nullable: true })
  previous_valid_until!: string | null;

  @Column({ ...instant, nullable: true })
  expires_at!: string | null;

  @Column({ ...instant, nullable: true })
  revoked_at!: string | null;

  /** At most a minute behind. */
  @Column({ ...instant, nullable: true })
  last_used_at!: string | null;

  /** Counted up by every change of an administrator. */
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
