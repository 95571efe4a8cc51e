import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { instant } from '@gatehouse/database/instant';

/** A managed secret with its sealed value. */
@Entity('managed_secrets')
@Unique('managed_secrets_name_unique', ['name_key'])
@Index('managed_secrets_order', ['created_at', 'id'])
@Index('managed_secrets_key_version', ['key_version', 'id'])
export class ManagedSecretRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'managed_secrets_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  /** The name in its comparison form. */
  @Column('text')
  name_key!: string;

  /** Counts the values of the secret, from 1. */
  @Column('integer')
  version!: number;

  /** Version of the key-encryption key that wraps the data key. */
  @Column('integer')
  key_version!: number;

  @Column('bytea')
  wrapped_key!: Buffer;

  @Column('bytea')
  ciphertext!: Buffer;

  @Column(instant)
  created_at!: string;

  /** The time of the last new value. */
  @Column(instant)
  updated_at!: string;
}
