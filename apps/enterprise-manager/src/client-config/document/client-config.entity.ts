import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { GroupRow } from '../../people/groups/group.entity.ts';
import type { EnterpriseConfig } from './directives.dto.ts';

/** The base document of the configuration of clients: one row. */
@Entity('client_config')
@Check('client_config_once', 'only_row')
export class ClientConfigRow {
  @PrimaryColumn('boolean', { primaryKeyConstraintName: 'client_config_pkey' })
  only_row!: true;

  /** Random; changes with every write. */
  @Column('uuid')
  revision!: string;

  @Column('json')
  config!: EnterpriseConfig;
}

/** The directives for the users of a group. */
@Entity('client_config_overrides')
@Unique('client_config_overrides_precedence', ['precedence'])
export class ClientConfigOverrideRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'client_config_overrides_pkey' })
  group_id!: string;

  @Column('integer')
  precedence!: number;

  @Column('json')
  config!: EnterpriseConfig;

  @OneToOne(() => GroupRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'group_id', foreignKeyConstraintName: 'client_config_overrides_group' })
  group!: Relation<GroupRow>;
}
