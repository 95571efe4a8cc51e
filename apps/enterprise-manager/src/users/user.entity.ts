import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { instant } from '../database/instant.ts';

/** Where a directory entry comes from; decides who may change it. */
export type UserSource = 'config' | 'scim' | 'sign_in';

/** A person of the directory. A person is (issuer, subject); equal subjects of two issuers are two people. */
@Entity('users')
@Unique('users_person_unique', ['issuer', 'subject'])
@Unique('users_user_name_unique', ['issuer', 'user_name_key'], { deferrable: 'INITIALLY DEFERRED' })
@Index('users_order', ['created_at', 'id'])
@Index('users_email', ['email_key'])
export class UserRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id!: string;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  user_name!: string;

  /** Comparison form of user_name: two people of one issuer never share it. */
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

  /** What `search` looks in: the comparison forms of display name, user name and e-mail. */
  @Column('text')
  search_key!: string;

  @Column(instant)
  created_at!: string;

  @Column(instant)
  updated_at!: string;
}
