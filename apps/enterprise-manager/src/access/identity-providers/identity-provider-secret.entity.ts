import type { KubernetesSecretRef } from '@gatehouse/kubernetes/secret-ref';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ManagedSecretRow } from '../../secrets/managed-secrets/managed-secret.entity.ts';
import { IdentityProviderRow } from './identity-provider.entity.ts';

/** The use of a secret by an identity provider. */
@Entity('identity_provider_secrets')
@Index('identity_provider_secrets_of_secret', ['secret_id'])
@Check('identity_provider_secrets_lie_in_one_place', 'num_nonnulls(secret_id, kubernetes_secret) = 1')
export class IdentityProviderSecretRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'identity_provider_secrets_pkey' })
  provider_id!: string;

  /** The field of the secret, for example `oidc_config.client_secret`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'identity_provider_secrets_pkey' })
  field!: string;

  /** The managed secret; null for a Kubernetes Secret. */
  @Column('uuid', { nullable: true })
  secret_id!: string | null;

  /** The Kubernetes Secret in the cluster of the gateway, or null. */
  @Column('jsonb', { nullable: true })
  kubernetes_secret!: KubernetesSecretRef | null;

  @ManyToOne(() => IdentityProviderRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'provider_id', foreignKeyConstraintName: 'identity_provider_secrets_provider_fkey' })
  provider!: Relation<IdentityProviderRow>;

  @ManyToOne(() => ManagedSecretRow)
  @JoinColumn({ name: 'secret_id', foreignKeyConstraintName: 'identity_provider_secrets_secret_fkey' })
  secret!: Relation<ManagedSecretRow> | null;
}
