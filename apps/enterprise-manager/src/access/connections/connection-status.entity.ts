import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ConnectorRow } from '../connectors/connector.entity.ts';
import { instant } from '../../database/instant.ts';
import { UserRow } from '../../people/users/user.entity.ts';

/**
 * Whether a person can use an upstream: no credential of the person is needed, one is missing, or
 * there is one.
 */
export type UpstreamStatus = 'ready' | 'needs_auth' | 'connected';

/** What gateways last saw of a person at an upstream. */
@Entity('connection_statuses')
@Index('connection_statuses_tools', ['connector_id', 'tools_observed_at'])
export class ConnectionStatusRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connection_statuses_pkey' })
  user_id!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connection_statuses_pkey' })
  connector_id!: string;

  @Column('text')
  connection_status!: UpstreamStatus;

  @Column(instant)
  observed_at!: string;

  /** Names of the tools, the last time that a gateway listed them for this person. */
  @Column('text', { array: true, nullable: true })
  tools!: string[] | null;

  @Column({ ...instant, nullable: true })
  tools_observed_at!: string | null;

  @ManyToOne(() => UserRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'connection_statuses_user' })
  user!: Relation<UserRow>;

  @ManyToOne(() => ConnectorRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'connector_id', foreignKeyConstraintName: 'connection_statuses_connector' })
  connector!: Relation<ConnectorRow>;
}
