import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The calls that the replicas took of one rate in one second. */
@Entity('call_rates')
@Index('call_rates_age', ['second'])
export class CallRateRow {
  /** SHA-256 of the name of the rate, as base64url. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'call_rates_pkey' })
  key!: string;

  /** Unix time of the database's clock. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'call_rates_pkey' })
  second!: string;

  @Column('integer')
  calls!: number;
}
