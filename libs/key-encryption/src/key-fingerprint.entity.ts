import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from '@gatehouse/database/instant';

/** The fingerprint of a key-encryption key that a replica has used with this database. */
@Entity('key_encryption_keys')
export class KeyFingerprintRow {
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'key_encryption_keys_pkey' })
  version!: number;

  /** See computeFingerprint in libs/envelope. */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column(instant)
  first_seen_at!: string;
}
