import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { instant } from '@gatehouse/database/instant';

/** The owner of a group: the administrators of this service, or a provisioning directory. */
export type GroupSource = 'local' | 'scim';

/** A group of the directory. Its members are users and other groups. */
@Entity('groups')
@Unique('groups_name_unique', ['name'])
@Unique('groups_display_name_unique', ['display_name_key'])
@Index('groups_order', ['created_at', 'id'])
@Index('groups_of_issuer', ['issuer', 'created_at', 'id'])
@Index('groups_external_id', ['issuer', 'external_id'])
export class GroupRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'groups_pkey' })
  id!: string;

  /** Derived from the display name: lower case, hyphens. */
  @Column('text')
  name!: string;

  @Column('text')
  display_name!: string;

  /** Comparison form of display_name. */
  @Column('text')
  display_name_key!: string;

  @Column('text')
  description!: string;

  @Column('text')
  source!: GroupSource;

  /** Issuer whose directory provisions the group; null for a local group. */
  @Column('text', { nullable: true })
  issuer!: string | null;

  /** SCIM `externalId` (RFC 7643 §3.1). */
  @Column('text', { nullable: true })
  external_id!: string | null;

  /** The text that `search` searches: the comparison forms of display name and name. */
  @Column('text')
  search_key!: string;

  /** Incremented by every change of the group or of its direct members. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column(instant)
  created_at!: string;

  @Column(instant)
  updated_at!: string;
}
