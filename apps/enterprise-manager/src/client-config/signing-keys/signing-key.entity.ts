import { Check, Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { instant } from '../../database/instant.ts';
import type { SigningKeyState } from './signing-key.ts';

/** The public half of a key and its life. */
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

  /** Since when the key set shows it. */
  @Column(instant)
  created_at!: string;

  /** When it began to sign. */
  @Column({ ...instant, nullable: true })
  activated_at!: string | null;

  /** When it stopped. */
  @Column({ ...instant, nullable: true })
  retired_at!: string | null;

  /** When the last envelope that it signed is over, and nobody needs it any more. */
  @Column({ ...instant, nullable: true })
  shown_until!: string | null;
}

/** The private half of a key that signs or is going to. */
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
