import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant } from '@gatehouse/database/instant';

/** The result of a request: its change was committed, or it was answered 403. */
export type AuditOutcome = 'succeeded' | 'forbidden';

/** An audit event. The database refuses changes of rows. */
@Entity('audit_events')
@Index('audit_events_by_object_id', ['object_id', 'occurred_at', 'id'])
@Index('audit_events_by_subject', ['subject', 'occurred_at', 'id'])
@Index('audit_events_by_operation', ['operation', 'occurred_at', 'id'])
@Index('audit_events_by_outcome', ['outcome', 'occurred_at', 'id'])
@Index('audit_events_by_object_kind', ['object_kind', 'occurred_at', 'id'])
@Index('audit_events_by_issuer', ['issuer', 'occurred_at', 'id'])
@Index('audit_events_by_request_id', ['request_id', 'occurred_at', 'id'])
export class AuditEventRow {
  @PrimaryColumn({ ...instant, primaryKeyConstraintName: 'audit_events_pkey' })
  occurred_at!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_events_pkey' })
  id!: string;

  @Column('text')
  request_id!: string;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  operation!: string;

  @Column('text', { nullable: true })
  object_kind!: string | null;

  @Column('text', { nullable: true })
  object_id!: string | null;

  @Column('text')
  outcome!: AuditOutcome;

  @Column('text', { array: true })
  changed_fields!: string[];

  /**
   * The number of requests; more than one only for counted refusals of a caller.
   */
  @Column('integer', { default: 1 })
  occurrences!: number;
}
