import { Column, Entity, Index, JoinColumn, ManyToOne, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ConnectorRow } from './connector.entity.ts';
import { instant } from '@gatehouse/database/instant';
import { GroupRow } from '../../people/groups/group.entity.ts';

/** `structured`: compiled from granted groups; `cedar`: written by an administrator. */
export type PolicyMode = 'structured' | 'cedar';

/** The policy of one connector. */
@Entity('connector_policies')
export class ConnectorPolicyRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connector_policies_pkey' })
  connector_id!: string;

  @Column('text')
  mode!: PolicyMode;

  /** The written document; null in structured mode. */
  @Column('text', { nullable: true })
  cedar_document!: string | null;

  /** Increases with each change of the policy and of its grants. */
  @Column('bigint')
  version!: string;

  @Column(instant)
  updated_at!: string;

  @OneToOne(() => ConnectorRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'connector_id', foreignKeyConstraintName: 'connector_policies_connector' })
  connector!: Relation<ConnectorRow>;
}

/** A group that may use a connector. */
@Entity('connector_policy_grants')
@Index('connector_policy_grants_of_group', ['group_id'])
export class ConnectorPolicyGrantRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connector_policy_grants_pkey' })
  connector_id!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connector_policy_grants_pkey' })
  group_id!: string;

  @ManyToOne(() => ConnectorPolicyRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'connector_id', foreignKeyConstraintName: 'connector_policy_grants_policy' })
  policy!: Relation<ConnectorPolicyRow>;

  @ManyToOne(() => GroupRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'group_id', foreignKeyConstraintName: 'connector_policy_grants_group' })
  group!: Relation<GroupRow>;
}
