import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { instant } from '@gatehouse/database/instant';

/** The origin of a directory entry. It determines which callers may change the entry. */
export type UserSource = 'config' | 'scim' | 'sign_in';

/**
 * A user of the directory, identified by (issuer, subject). Equal subjects of two issuers are two
 * users.
 */
@Entity('users')
@Unique('users_person_unique', ['issuer', 'subject'])
@Unique('users_binding_unique', ['issuer', 'binding_key'])
@Unique('users_user_name_unique', ['issuer', 'user_name_key'], { deferrable: 'INITIALLY DEFERRED' })
@Index('users_order', ['created_at', 'id'])
@Index('users_email', ['email_key'])
@Index('users_of_issuer', ['issuer', 'created_at', 'id'])
@Index('users_external_id', ['issuer', 'external_id'])
@Index('users_attributes', { synchronize: false })
@Index('users_user_name_beginning', { synchronize: false })
@Index('users_not_provisioned', ['issuer'], { where: `(source <> 'scim'::text)` })
export class UserRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id!: string;

  @Column('text')
  issuer!: string;

  /** Subject of the user's tokens; null until the first sign-in of a provisioned user. */
  @Column('text', { nullable: true })
  subject!: string | null;

  /**
   * Comparison form of the provisioning attribute that the issuer's binding rule names. A token
   * with this value in the binding claim identifies this user.
   */
  @Column('text', { nullable: true })
  binding_key!: string | null;

  /** SCIM `externalId` (RFC 7643 §3.1). */
  @Column('text', { nullable: true })
  external_id!: string | null;

  @Column('text')
  user_name!: string;

  /** Comparison form of user_name, unique within the issuer. */
  @Column('text')
  user_name_key!: string;

  @Column('text', { nullable: true })
  email!: string | null;

  /** Comparison form of email. */
  @Column('text', { nullable: true })
  email_key!: string | null;

  @Column('text')
  display_name!: string;

  @Column('text', { nullable: true })
  photo_url!: string | null;

  @Column('text')
  source!: UserSource;

  @Column('boolean')
  active!: boolean;

  /** The text that `search` searches: comparison forms of display name, user name and e-mail. */
  @Column('text')
  search_key!: string;

  /** SCIM attributes that have no column of their own, as a SCIM resource (RFC 7643 §4.1). */
  @Column('jsonb', { default: {} })
  scim!: Record<string, unknown>;

  /** Incremented by every change of the entry. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column(instant)
  created_at!: string;

  @Column(instant)
  updated_at!: string;
}
