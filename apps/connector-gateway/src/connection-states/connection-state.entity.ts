import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user's state of a connector in local mode. */
@Entity('connection_states')
export class ConnectionStateRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'connection_states_pkey' })
  issuer!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'connection_states_pkey' })
  subject!: string;

  /** The name of the backend. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'connection_states_pkey' })
  connector_id!: string;

  /** Null after a reset to the default. The row keeps counting versions. */
  @Column('boolean', { nullable: true })
  enabled!: boolean | null;

  /** Counts the changes, from 1. */
  @Column('integer')
  version!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: string;
}
