import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * `open`: the call runs. `ready`: the record waits for delivery. `delivered`: the enterprise
 * manager has it. `rejected`: the enterprise manager refused it; the record stays with the reason.
 * `kept`: the record of a gateway in local mode, which delivers none.
 */
export type DeliveryState = 'open' | 'ready' | 'delivered' | 'rejected' | 'kept';

/** The record of a tool call in the outbox. */
@Entity('tool_calls')
@Index('tool_calls_ready', ['call_id'], { where: `state = 'ready'` })
@Index('tool_calls_open', ['occurred_at'], { where: `state = 'open'` })
@Index('tool_calls_settled', ['settled_at'], { where: `state IN ('delivered', 'rejected')` })
@Index('tool_calls_kept', ['call_id'], { where: `state = 'kept'` })
@Index('tool_calls_failed', ['issuer', 'subject', 'arguments_sha256', 'finished_at'], { where: `outcome = 'error'` })
export class ToolCallRow {
  /** UUID v7 of this gateway; the enterprise manager accepts each id once. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tool_calls_pkey' })
  call_id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  occurred_at!: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finished_at!: string | null;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  @Column('text', { nullable: true })
  user_id!: string | null;

  @Column('text', { nullable: true })
  user_email!: string | null;

  @Column('text', { array: true })
  group_ids!: string[];

  @Column('text', { nullable: true })
  connector_id!: string | null;

  @Column('text', { nullable: true })
  connector_name!: string | null;

  @Column('text')
  tool_name!: string;

  /** Null for a tool that was not offered to the user. */
  @Column('text', { nullable: true })
  arguments_sha256!: string | null;

  @Column('text', { nullable: true })
  definition_version!: string | null;

  @Column('text')
  decision!: string;

  @Column('text')
  outcome!: string;

  @Column('text')
  category!: string;

  @Column('boolean')
  billable!: boolean;

  @Column('text')
  billable_reason!: string;

  /** Milliseconds from the arrival of the call to its end. */
  @Column('integer', { nullable: true })
  duration_ms!: number | null;

  @Column('text')
  state!: DeliveryState;

  /** The reason why the enterprise manager rejected it. */
  @Column('text', { nullable: true })
  rejection!: string | null;

  /** Time of the delivery or rejection. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  settled_at!: string | null;
}
