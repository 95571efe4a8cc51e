import { instant } from '@gatehouse/database/instant';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** The sealed tokens of one user for one connector. */
@Entity('upstream_tokens')
@Unique('upstream_tokens_owner_key', ['issuer', 'subject', 'connector_id'])
@Index('upstream_tokens_connector_idx', ['connector_id'])
@Check('upstream_tokens_status_check', `"status" IN ('connected', 'needs_auth')`)
@Check('upstream_tokens_reason_check', `("status" = 'needs_auth') = ("reason" IS NOT NULL)`)
export class UpstreamTokenRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'upstream_tokens_pkey' })
  id!: string;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  connector_id!: string;

  /** The authorization server that issued the tokens. */
  @Column('text')
  provider_issuer!: string;

  /** The client at that server to which they were issued. Another client cannot refresh them. */
  @Column('text')
  client_id!: string;

  /** Scheme, host and port of the endpoint for which they were issued. */
  @Column('text')
  upstream_origin!: string;

  /** See `SealedValue` of libs/envelope. */
  @Column('integer')
  key_version!: number;

  @Column('bytea')
  wrapped_key!: Buffer;

  @Column('bytea')
  ciphertext!: Buffer;

  /** The granted scopes, if the server named them. */
  @Column('text', { nullable: true })
  scope!: string | null;

  /** The scopes that the upstream required in addition (RFC 6750, section 3.1). */
  @Column('text', { nullable: true })
  challenged_scope!: string | null;

  /** Null if the server named no lifetime. The row outlives this time. */
  @Column({ ...instant, nullable: true })
  access_expires_at!: string | null;

  @Column('text')
  status!: 'connected' | 'needs_auth';

  /** Why the user must connect again. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** Counts the changes, from 1. */
  @Column('integer')
  version!: number;

  @Column(instant)
  updated_at!: string;
}
