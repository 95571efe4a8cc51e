import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { instant } from '@gatehouse/database/instant';
import { IdentityProviderRow } from '../identity-providers/identity-provider.entity.ts';
import type { StoredAuth } from './stored-auth.ts';
import type { ConnectorStatus, DeploymentMode, Origin, Transport } from './connector.ts';

/** An MCP server that a gateway offers to the users that its policy allows. */
@Entity('connectors')
@Unique('connectors_slug_unique', ['gateway_id', 'slug'])
@Unique('connectors_name_unique', ['gateway_id', 'name_key'])
@Index('connectors_order', ['gateway_id', 'created_at', 'id'])
@Index('connectors_of_identity_provider', ['identity_provider_id'])
export class ConnectorRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connectors_pkey' })
  id!: string;

  @Column('text')
  gateway_id!: string;

  /** Prefix of the connector's tools at the gateway; never changes. */
  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  /** Comparison form of name. */
  @Column('text')
  name_key!: string;

  @Column('text')
  endpoint!: string;

  @Column('text')
  transport!: Transport;

  @Column('jsonb')
  auth!: StoredAuth;

  /** The provider in `auth`. The foreign key prevents its deletion. */
  @Column('uuid', { nullable: true })
  identity_provider_id!: string | null;

  @ManyToOne(() => IdentityProviderRow)
  @JoinColumn({ name: 'identity_provider_id', foreignKeyConstraintName: 'connectors_identity_provider_fkey' })
  identity_provider?: Relation<IdentityProviderRow>;

  @Column('boolean')
  allow_private_ips!: boolean;

  @Column('text')
  deployment_mode!: DeploymentMode;

  @Column('text')
  origin!: Origin;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { nullable: true })
  icon_url!: string | null;

  @Column('text', { nullable: true })
  repository_url!: string | null;

  @Column('text', { nullable: true })
  support_url!: string | null;

  @Column('text', { nullable: true })
  version!: string | null;

  @Column('text', { nullable: true })
  source_name!: string | null;

  @Column('text', { nullable: true })
  source_namespace!: string | null;

  @Column('text')
  status!: ConnectorStatus;

  /** The reason for the failure of the last check. */
  @Column('text', { nullable: true })
  status_message!: string | null;

  /** Increases with each write, so that a slow check cannot overwrite a later write. */
  @Column('integer')
  revision!: number;

  @Column(instant)
  created_at!: string;

  @Column(instant)
  updated_at!: string;
}

/** The columns of a connector. */
export type ConnectorColumns = { [K in keyof Omit<ConnectorRow, 'identity_provider'>]: ConnectorRow[K] };
