import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { instant } from '@gatehouse/database/instant';
import { UserRow } from '../people/users/user.entity.ts';

/** A virtual API key. Only hashes of its secrets are stored. */
@Entity('virtual_keys')
@Unique('virtual_keys_secret_unique', ['secret_hash'])
@Unique('virtual_keys_previous_unique', ['previous_hash'])
@Index('virtual_keys_of_person', ['issuer', 'subject', 'created_at', 'id'])
@Index('virtual_keys_of_user', ['user_id', 'created_at', 'id'])
@Index('virtual_keys_version', ['version'])
export class VirtualKeyRow {
  /** Short id, which is also the public part of the key text. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'virtual_keys_pkey' })
  id!: string;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  /** The owner's directory entry; null after its deletion. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => UserRow, { name: 'virtual_keys_user', onDelete: 'SET NULL' })
  user_id!: string | null;

  @Column('text')
  name!: string;

  @Column('jsonb')
  metadata!: Record<string, string>;

  /** SHA-256 of the key text. */
  @Column('bytea')
  secret_hash!: Buffer;

  /** SHA-256 of the key text before the last rotation. */
  @Column('bytea', { nullable: true })
  previous_hash!: Buffer | null;

  @Column({ ...instant, nullable: true })
  previous_valid_until!: string | null;

  /** The Idempotency-Keys of the last rotations, newest first. */
  @Column('text', { array: true, default: [] })
  rotation_requests!: string[];

  @Column('boolean', { default: false })
  disabled_by_owner!: boolean;

  @Column('boolean', { default: false })
  disabled_by_administrator!: boolean;

  /** Written only by a trigger, when the owner's directory entry changes. */
  @Column('boolean', { default: false })
  disabled_by_deactivation!: boolean;

  @Column({ ...instant, nullable: true })
  revoked_at!: string | null;

  @Column({ ...instant, nullable: true })
  expires_at!: string | null;

  @Column(instant)
  created_at!: string;

  @Column('text')
  created_by!: string;

  /** Revision of the key's last change; written only by a trigger, at commit. */
  @Column('bigint', { default: 0 })
  version!: string;
}

/** The time of the last use of a key, with a delay of up to a minute. */
@Entity('virtual_key_uses')
export class VirtualKeyUseRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'virtual_key_uses_pkey' })
  @ForeignKey(() => VirtualKeyRow, { name: 'virtual_key_uses_key', onDelete: 'CASCADE' })
  key_id!: string;

  @Column(instant)
  last_used_at!: string;
}

/** The revision of all keys: one row, which triggers increment at each change. */
@Entity('key_revision')
@Check('key_revision_once', 'only_row')
export class KeyRevisionRow {
  @PrimaryColumn('boolean', { primaryKeyConstraintName: 'key_revision_pkey' })
  only_row!: boolean;

  /** Generated with the database; revisions of different databases cannot be compared. */
  @Column('uuid')
  epoch!: string;

  @Column('bigint')
  revision!: string;

  /** Revision of the last change of a group membership. */
  @Column('bigint')
  groups_revision!: string;
}
