import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { instant } from '@gatehouse/database/instant';
import { UserRow } from '../users/user.entity.ts';
import { GroupRow } from './group.entity.ts';

/** The direct membership of a user in a group. */
@Entity('group_users')
@Index('group_users_of_user_by_group', ['user_id', 'group_id'])
export class GroupUserRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'group_users_pkey' })
  group_id!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'group_users_pkey' })
  user_id!: string;

  @Column(instant)
  created_at!: string;

  @ManyToOne(() => GroupRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'group_id', foreignKeyConstraintName: 'group_users_group' })
  group!: Relation<GroupRow>;

  @ManyToOne(() => UserRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'group_users_user' })
  user!: Relation<UserRow>;
}

/** The direct membership of a group in a group. The rows form an acyclic graph, 32 groups deep. */
@Entity('group_subgroups')
@Index('group_subgroups_of_child', ['child_id'])
@Check('group_subgroups_not_itself', 'parent_id <> child_id')
export class GroupSubgroupRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'group_subgroups_pkey' })
  parent_id!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'group_subgroups_pkey' })
  child_id!: string;

  @Column(instant)
  created_at!: string;

  @ManyToOne(() => GroupRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'parent_id', foreignKeyConstraintName: 'group_subgroups_parent' })
  parent!: Relation<GroupRow>;

  @ManyToOne(() => GroupRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'child_id', foreignKeyConstraintName: 'group_subgroups_child' })
  child!: Relation<GroupRow>;
}
