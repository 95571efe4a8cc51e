import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A message of a client for the replica that serves its request. */
@Entity('mcp_session_messages')
@Index('mcp_session_messages_user', ['issuer', 'subject'])
export class SessionMessageRow {
  @PrimaryColumn('bigint', {
    primaryKeyConstraintName: 'mcp_session_messages_pkey',
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
  })
  id!: string;

  @Column('uuid')
  sender_id!: string;

  @Column('text')
  session_id!: string;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  /** The connector of a `/mcp/{slug}` endpoint; null for `/mcp`. */
  @Column('text', { nullable: true })
  slug!: string | null;

  @Column('text', { nullable: true })
  mode!: string | null;

  /** The JSON-RPC message. JSON, since `jsonb` does not accept all characters. */
  @Column('json')
  message!: unknown;

  /** The size of the message as JSON. */
  @Column('integer', { default: 0 })
  message_bytes!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  sent_at!: string;
}
