import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A signing key of the authorization server: an encrypted private JWK (ES256). */
@Entity('as_signing_keys')
@Index('as_signing_keys_activation', ['activates_at'], { unique: true })
export class SigningKeyRow {
  /** The `kid`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'as_signing_keys_pkey' })
  id!: string;

  /** See SealedValue in libs/envelope. */
  @Column('integer')
  key_version!: number;

  @Column('bytea')
  wrapped_key!: Buffer;

  @Column('bytea')
  ciphertext!: Buffer;

  /** From this time until the activation of the next key, this key signs. */
  @Column({ type: 'timestamptz', precision: 3 })
  activates_at!: string;
}
