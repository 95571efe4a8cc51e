import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ConnectorRow } from '../connectors/connector.entity.ts';
import { instant } from '@gatehouse/database/instant';
import { UserRow } from '../../people/users/user.entity.ts';

/**
 * The state of a user at an upstream: `ready` if no credential of the user is needed, `needs_auth`
 * if it is missing, `connected` if it is present.
 */
export type UpstreamStatus = 'ready' | 'needs_auth' | 'connected';

/** The last observation of a user at an upstream by gateways. */
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

  /** Names of the tools when a gateway last listed them for this user. */
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
