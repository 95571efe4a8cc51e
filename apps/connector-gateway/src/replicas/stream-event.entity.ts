import type { RequestId } from '@gatehouse/mcp/errors';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event of a resumable stream. It is deleted with its stream. */
@Entity('mcp_stream_events')
export class StreamEventRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'mcp_stream_events_pkey' })
  stream_id!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'mcp_stream_events_pkey' })
  number!: number;

  /** The event as clients receive it. */
  @Column('text')
  frame!: string;

  /** The upstream's JSON-RPC id of the question that the event passes on. */
  @Column('json', { nullable: true })
  question!: RequestId | null;
}
