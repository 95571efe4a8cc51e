import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { instant } from '../../database/instant.ts';
import { GroupRow } from '../groups/group.entity.ts';
import { UserRow } from '../users/user.entity.ts';

/** What administrators noted about a person; goes with the person. */
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

/** What administrators noted about a group; goes with the group. */
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
