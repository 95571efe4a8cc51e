import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of changes of a gateway's snapshot, counted by triggers. */
@Entity('gateway_revisions')
export class GatewayRevisionRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'gateway_revisions_pkey' })
  gateway_id!: string;

  /** Random value of the row, which distinguishes equal revisions of different databases. */
  @Column('uuid')
  epoch!: string;

  @Column('bigint')
  revision!: string;
}
