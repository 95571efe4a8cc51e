import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A sign-in at the provider of a connector that a user has approved. */
@Entity('connect_flows')
@Index('connect_flows_by_person', ['issuer', 'subject', 'expires_at'])
@Index('connect_flows_by_expiry', ['expires_at'])
export class ConnectFlowRow {
  /** SHA-256 of the state, hexadecimal. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'connect_flows_pkey' })
  id!: string;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  connector_id!: string;

  /** SHA-256 of the cookie of the browser that approved. */
  @Column('bytea')
  browser_hash!: Buffer;

  /** The pending authorization request, encrypted; see SealedValue in libs/envelope. */
  @Column('integer')
  key_version!: number;

  @Column('bytea')
  wrapped_key!: Buffer;

  @Column('bytea')
  ciphertext!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: string;

  /** When the state was used; a state is used once. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  used_at!: string | null;
}
