import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A registration of this gateway at an authorization server (RFC 7591), encrypted. */
@Entity('client_registrations')
export class ClientRegistrationRow {
  /** SHA-256 of the issuer and the redirect URIs, hexadecimal. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'client_registrations_pkey' })
  id!: string;

  /** See SealedValue in libs/envelope. */
  @Column('integer')
  key_version!: number;

  @Column('bytea')
  wrapped_key!: Buffer;

  @Column('bytea')
  ciphertext!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: string;
}
