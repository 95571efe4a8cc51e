import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An exchange that a provider refuses until the person signs in or consents there. */
@Entity('exchange_refusals')
export class ExchangeRefusalRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'exchange_refusals_pkey' })
  issuer!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'exchange_refusals_pkey' })
  subject!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'exchange_refusals_pkey' })
  connector_id!: string;

  /** The value of `error` of the provider (RFC 6749, section 5.2). */
  @Column('text')
  error!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  refused_at!: string;
}
