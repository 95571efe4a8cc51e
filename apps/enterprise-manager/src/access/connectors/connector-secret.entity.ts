import type { KubernetesSecretRef } from '@gatehouse/kubernetes/secret-ref';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ManagedSecretRow } from '../../secrets/managed-secrets/managed-secret.entity.ts';
import { ConnectorRow } from './connector.entity.ts';

/** The use of a secret by a connector. */
@Entity('connector_secrets')
@Index('connector_secrets_of_secret', ['secret_id'])
@Check('connector_secrets_lie_in_one_place', 'num_nonnulls(secret_id, kubernetes_secret) = 1')
export class ConnectorSecretRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connector_secrets_pkey' })
  connector_id!: string;

  /** The field of `auth`, for example `bearer_token.token`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'connector_secrets_pkey' })
  field!: string;

  /** The managed secret; null for a Kubernetes Secret. */
  @Column('uuid', { nullable: true })
  secret_id!: string | null;

  /** The Kubernetes Secret in the cluster of the gateway, or null. */
  @Column('jsonb', { nullable: true })
  kubernetes_secret!: KubernetesSecretRef | null;

  @ManyToOne(() => ConnectorRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'connector_id', foreignKeyConstraintName: 'connector_secrets_connector_fkey' })
  connector!: Relation<ConnectorRow>;

  @ManyToOne(() => ManagedSecretRow)
  @JoinColumn({ name: 'secret_id', foreignKeyConstraintName: 'connector_secrets_secret_fkey' })
  secret!: Relation<ManagedSecretRow> | null;
}
