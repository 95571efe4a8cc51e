import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { ConnectorRow } from '../connectors/connector.entity.ts';
import { instant } from '@gatehouse/database/instant';
import { UserRow } from '../../people/users/user.entity.ts';

/** The settings of a user for a connector. */
@Entity('connections')
@Unique('connections_one_each', ['user_id', 'connector_id'])
@Index('connections_of_connector', ['connector_id', 'created_at', 'id'])
@Index('connections_of_user', ['user_id', 'created_at', 'id'])
export class ConnectionRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connections_pkey' })
  id!: string;

  @Column('uuid')
  connector_id!: string;

  @Column('uuid')
  user_id!: string;

  @Column('boolean')
  enabled!: boolean;

  @Column('boolean')
  tools_enabled_by_default!: boolean;

  /** Tools, by their upstream names, for which the opposite of the default holds. */
  @Column('text', { array: true })
  tools_exception_list!: string[];

  @Column(instant)
  created_at!: string;

  @Column(instant)
  updated_at!: string;

  @ManyToOne(() => ConnectorRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'connector_id', foreignKeyConstraintName: 'connections_connector' })
  connector!: Relation<ConnectorRow>;

  @ManyToOne(() => UserRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'connections_user' })
  user!: Relation<UserRow>;
}
