import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { instant } from '@gatehouse/database/instant';
import { GroupRow } from '../groups/group.entity.ts';
import { UserRow } from '../users/user.entity.ts';

/** The metadata of a user. It is removed with the user. */
@Entity('user_metadata')
export class UserMetadataRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'user_metadata_pkey' })
  user_id!: string;

  @Column('json')
  metadata!: Record<string, unknown>;

  @Column(instant)
  created_at!: string;

  @Column(instant)
  updated_at!: string;

  @OneToOne(() => UserRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'user_metadata_entity' })
  user!: Relation<UserRow>;
}

/** The metadata of a group. It is removed with the group. */
@Entity('group_metadata')
export class GroupMetadataRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'group_metadata_pkey' })
  group_id!: string;

  @Column('json')
  metadata!: Record<string, unknown>;

  @Column(instant)
  created_at!: string;

  @Column(instant)
  updated_at!: string;

  @OneToOne(() => GroupRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'group_id', foreignKeyConstraintName: 'group_metadata_entity' })
  group!: Relation<GroupRow>;
}
