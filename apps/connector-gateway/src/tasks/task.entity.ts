import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TaskForm } from '../mcp/ports/task-store.ts';

/** A task of an upstream; any replica serves it to its owner. */
@Entity('mcp_tasks')
@Index('mcp_tasks_person', ['issuer', 'subject', 'created_at', 'id'])
@Index('mcp_tasks_expiry', ['expires_at'])
export class TaskRow {
  /** The id for the client. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'mcp_tasks_pkey' })
  id!: string;

  /** The owner; other users cannot see the task. */
  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  form!: TaskForm;

  @Column('text')
  connector_id!: string;

  /** The credential with which the upstream created the task. */
  @Column('text')
  identity!: string;

  /** Key of the upstream's connection that created the task. */
  @Column('text')
  owner_key!: string;

  /** The upstream's own name of the tool. */
  @Column('text')
  tool_name!: string;

  /** The upstream's own id of the task. */
  @Column('text')
  upstream_id!: string;

  /** The last known state. JSON, since `jsonb` does not accept all characters. */
  @Column('json')
  state!: unknown;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: string;
}
