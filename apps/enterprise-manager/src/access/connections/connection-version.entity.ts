import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ConnectorRow } from '../connectors/connector.entity.ts';
import { UserRow } from '../../people/users/user.entity.ts';

/** The number of changes of a user's connection to a connector. It survives the connection. */
@Entity('connection_versions')
@Index('connection_versions_of_connector', ['connector_id'])
export class ConnectionVersionRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connection_versions_pkey' })
  user_id!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connection_versions_pkey' })
  connector_id!: string;

  @Column('bigint')
  version!: number;

  @ManyToOne(() => UserRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'connection_versions_user' })
  user!: Relation<UserRow>;

  @ManyToOne(() => ConnectorRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'connector_id', foreignKeyConstraintName: 'connection_versions_connector' })
  connector!: Relation<ConnectorRow>;
}
