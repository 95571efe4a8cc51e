import { Check, Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { instant } from '@gatehouse/database/instant';
import type { SigningKeyState } from './signing-key.ts';

/** The public key of a signing key, and its state. */
@Entity('signing_keys')
@Check('signing_keys_state', "state IN ('next', 'current', 'previous')")
@Index('signing_keys_one_of_each', ['state'], { unique: true, where: "state <> 'previous'" })
export class SigningKeyRow {
  /** Thumbprint of the key (RFC 7638). */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'signing_keys_pkey' })
  kid!: string;

  @Column('text')
  state!: SigningKeyState;

  /** Coordinates on P-256, base64url (RFC 7518 §6.2.1). */
  @Column('text')
  x!: string;

  @Column('text')
  y!: string;

  /** The time at which the key was added to the key set. */
  @Column(instant)
  created_at!: string;

  /** The time at which the key began to sign. */
  @Column({ ...instant, nullable: true })
  activated_at!: string | null;

  /** The time at which the key stopped signing. */
  @Column({ ...instant, nullable: true })
  retired_at!: string | null;

  /** The time at which the key leaves the key set, because all that it signed has expired. */
  @Column({ ...instant, nullable: true })
  shown_until!: string | null;
}

/** The encrypted private key of the current or next signing key. */
@Entity('signing_key_secrets')
export class SigningKeySecretRow {
  /** The key's kid. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'signing_key_secrets_pkey' })
  id!: string;

  @Column('integer')
  key_version!: number;

  @Column('bytea')
  wrapped_key!: Buffer;

  @Column('bytea')
  ciphertext!: Buffer;

  @OneToOne(() => SigningKeyRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id', foreignKeyConstraintName: 'signing_key_secrets_key' })
  key!: Relation<SigningKeyRow>;
}
