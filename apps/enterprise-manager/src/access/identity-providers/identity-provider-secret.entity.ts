import type { KubernetesSecretRef } from '@gatehouse/kubernetes/secret-ref';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ManagedSecretRow } from '../../secrets/managed-secrets/managed-secret.entity.ts';
import { IdentityProviderRow } from './identity-provider.entity.ts';

/** An identity provider uses a secret. */
@Entity('identity_provider_secrets')
@Index('identity_provider_secrets_of_secret', ['secret_id'])
@Check('identity_provider_secrets_lie_in_one_place', 'num_nonnulls(secret_id, kubernetes_secret) = 1')
export class IdentityProviderSecretRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'identity_provider_secrets_pkey' })
  provider_id!: string;

  /** Where in the provider the secret stands, for example `oidc_config.client_secret`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'identity_provider_secrets_pkey' })
  field!: string;

  /** The managed secret; null where the value lies in a cluster. */
  @Column('uuid', { nullable: true })
  secret_id!: string | null;

  /** Where in the gateway's cluster the value lies, instead. */
  @Column('jsonb', { nullable: true })
  kubernetes_secret!: KubernetesSecretRef | null;

  @ManyToOne(() => IdentityProviderRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'provider_id', foreignKeyConstraintName: 'identity_provider_secrets_provider_fkey' })
  provider!: Relation<IdentityProviderRow>;

  @ManyToOne(() => ManagedSecretRow)
  @JoinColumn({ name: 'secret_id', foreignKeyConstraintName: 'identity_provider_secrets_secret_fkey' })
  secret!: Relation<ManagedSecretRow> | null;
}
