import type { UpstreamCall } from '../mcp/ports/stream-owners.ts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A stream that a replica serves, or served a short time ago. */
@Entity('mcp_streams')
@Index('mcp_streams_channel', ['session_id', 'channel'], { unique: true })
@Index('mcp_streams_replica', ['replica_id'])
export class StreamRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'mcp_streams_pkey' })
  id!: string;

  /** The replica that serves it. */
  @Column('uuid')
  replica_id!: string;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  /** The session of a resumable stream; null for a request without a session. */
  @Column('text', { nullable: true })
  session_id!: string | null;

  /** The first part of its event ids. */
  @Column('text', { nullable: true })
  channel!: string | null;

  /** The JSON-RPC id of its request as JSON; null for the stream of a GET. */
  @Column('text', { nullable: true })
  request_id!: string | null;

  /** The record of the call. */
  @Column('uuid', { nullable: true })
  call_id!: string | null;

  /** The call at its upstream, while its stream there can be resumed. */
  @Column('json', { nullable: true })
  upstream!: UpstreamCall | null;

  /** The end of the time for which a complete stream can be resumed; null while it is open. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expires_at!: string | null;
}
