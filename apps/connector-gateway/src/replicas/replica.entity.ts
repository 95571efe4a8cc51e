import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A running process of this gateway. */
@Entity('mcp_replicas')
export class ReplicaRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'mcp_replicas_pkey' })
  id!: string;

  /** The address for other replicas; null for a replica that works alone. */
  @Column('text', { nullable: true })
  url!: string | null;

  /** The last sign of life, by the clock of the database. */
  @Column({ type: 'timestamptz', precision: 3 })
  heartbeat_at!: string;
}
