import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from '../database/instant.ts';

/** A key-encryption key that this database has met. */
@Entity('key_encryption_keys')
export class KnownKeyRow {
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'key_encryption_keys_pkey' })
  version!: number;

  /** See fingerprintOf. */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column(instant)
  first_seen_at!: string;
}
