import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often a gateway's snapshot has changed; counted by triggers. */
@Entity('gateway_revisions')
export class GatewayRevisionRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'gateway_revisions_pkey' })
  gateway_id!: string;

  /** Drawn when the row was made: equal revisions of two databases are two revisions. */
  @Column('uuid')
  epoch!: string;

  @Column('bigint')
  revision!: string;
}
