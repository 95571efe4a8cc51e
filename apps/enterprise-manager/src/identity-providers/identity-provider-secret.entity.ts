import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ManagedSecretRow } from '../secrets/managed-secret.entity.ts';
import { IdentityProviderRow } from './identity-provider.entity.ts';

/** An identity provider uses a secret. */
@Entity('identity_provider_secrets')
@Index('identity_provider_secrets_of_secret', ['secret_id'])
export class IdentityProviderSecretRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'identity_provider_secrets_pkey' })
  provider_id!: string;

  /** Where in the provider the secret stands, for example `oidc_config.client_secret`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'identity_provider_secrets_pkey' })
  field!: string;

  @Column('uuid')
  secret_id!: string;

  @ManyToOne(() => IdentityProviderRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'provider_id', foreignKeyConstraintName: 'identity_provider_secrets_provider_fkey' })
  provider!: Relation<IdentityProviderRow>;

  @ManyToOne(() => ManagedSecretRow)
  @JoinColumn({ name: 'secret_id', foreignKeyConstraintName: 'identity_provider_secrets_secret_fkey' })
  secret!: Relation<ManagedSecretRow>;
}
