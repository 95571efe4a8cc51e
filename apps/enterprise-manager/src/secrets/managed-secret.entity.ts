import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { ConnectorRow } from '../connectors/connector.entity.ts';
import { instant } from '../database/instant.ts';
import type { KubernetesSecretRef } from '@gatehouse/service-kit/kubernetes-secret-ref';

/** A secret that administrators keep here. Its value is written, never read back by them. */
@Entity('managed_secrets')
@Unique('managed_secrets_name_unique', ['name_key'])
@Index('managed_secrets_order', ['created_at', 'id'])
@Index('managed_secrets_key_version', ['key_version', 'id'])
export class ManagedSecretRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'managed_secrets_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  /** Comparison form of name. */
  @Column('text')
  name_key!: string;

  /** Counts the values that the secret has had, from 1. */
  @Column('integer')
  version!: number;

  /** Version of the key-encryption key that wraps the data key. */
  @Column('integer')
  key_version!: number;

  @Column('bytea')
  wrapped_key!: Buffer;

  @Column('bytea')
  ciphertext!: Buffer;

  @Column(instant)
  created_at!: string;

  /** When the value was last written. */
  @Column(instant)
  updated_at!: string;
}

/** A connector uses a secret. */
@Entity('connector_secrets')
@Index('connector_secrets_of_secret', ['secret_id'])
@Check('connector_secrets_lie_in_one_place', 'num_nonnulls(secret_id, kubernetes_secret) = 1')
export class ConnectorSecretRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connector_secrets_pkey' })
  connector_id!: string;

  /** Where in the connector's `auth` the secret stands, for example `bearer_token.token`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'connector_secrets_pkey' })
  field!: string;

  /** The managed secret; null where the value lies in a cluster. */
  @Column('uuid', { nullable: true })
  secret_id!: string | null;

  /** Where in the gateway's cluster the value lies, instead. */
  @Column('jsonb', { nullable: true })
  kubernetes_secret!: KubernetesSecretRef | null;

  @ManyToOne(() => ConnectorRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'connector_id', foreignKeyConstraintName: 'connector_secrets_connector_fkey' })
  connector!: Relation<ConnectorRow>;

  @ManyToOne(() => ManagedSecretRow)
  @JoinColumn({ name: 'secret_id', foreignKeyConstraintName: 'connector_secrets_secret_fkey' })
  secret!: Relation<ManagedSecretRow> | null;
}
