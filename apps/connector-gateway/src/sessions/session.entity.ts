import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An MCP session; any replica can resume it. */
@Entity('mcp_sessions')
@Index('mcp_sessions_use', ['used_at'])
@Index('mcp_sessions_person', ['issuer', 'subject', 'used_at'])
@Index('mcp_sessions_change', ['changed_at'])
@Index('mcp_sessions_public_id', ['public_id'], { unique: true })
@Index('mcp_sessions_creation', ['created_at', 'public_id'])
export class SessionRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'mcp_sessions_pkey' })
  id!: string;

  /**
   * The id for administrators; `id` is a secret of the client. Null only if a replica of an older
   * version began the session.
   */
  @Column('uuid', { nullable: true })
  public_id!: string | null;

  /** The owner; other users cannot see the session. */
  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  /** The owner's id in the directory at the begin of the session. */
  @Column('text', { nullable: true })
  user_id!: string | null;

  /** Name and version of the client, as it calls itself. */
  @Column('text', { nullable: true })
  client_name!: string | null;

  @Column('text', { nullable: true })
  client_version!: string | null;

  /** The negotiated revision of the protocol. */
  @Column('text', { nullable: true })
  revision!: string | null;

  /** The connector of a `/mcp/{slug}` endpoint; null for `/mcp`. */
  @Column('text', { nullable: true })
  slug!: string | null;

  /** The mode of the endpoint: `search`, or null for all tools. */
  @Column('text', { nullable: true })
  mode!: string | null;

  /** The client's `initialize` request. JSON, since `jsonb` does not accept all characters. */
  @Column('json')
  initialize!: unknown;

  /** The minimum severity of log messages that the client has set. */
  @Column('text', { nullable: true })
  log_level!: string | null;

  /** The URIs of the resources that the client subscribed to. */
  @Column('text', { array: true, default: [] })
  subscriptions!: string[];

  /** The last change by the client; null before the first one. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  changed_at!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  used_at!: string;

  /** The end of the session by its client, an administrator or the limit of the user. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ended_at!: string | null;
}
