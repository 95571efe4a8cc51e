import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The registrations of clients from one address within a minute, over all replicas. */
@Entity('registration_counts')
export class RegistrationCountRow {
  /** Digest of the address. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'registration_counts_pkey' })
  id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  window_started_at!: string;

  @Column('integer')
  count!: number;
}
