import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An MCP session of a protocol revision that has sessions; any replica can go on with it. */
@Entity('mcp_sessions')
@Index('mcp_sessions_use', ['used_at'])
@Index('mcp_sessions_person', ['issuer', 'subject', 'used_at'])
export class SessionRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'mcp_sessions_pkey' })
  id!: string;

  /** Whose it is; to everybody else it does not exist. */
  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  /** The connector of a one-connector endpoint. */
  @Column('text', { nullable: true })
  slug!: string | null;

  /**
   * The client's `initialize` request: any JSON text, also one with characters that `jsonb` does
   * not take.
   */
  @Column('json')
  initialize!: unknown;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  used_at!: string;
}
