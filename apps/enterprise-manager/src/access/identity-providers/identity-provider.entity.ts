import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { instant } from '@gatehouse/database/instant';
import type { StoredProviderConfig, ProviderSource, ProviderType } from './identity-provider.ts';

/** An identity provider at which users sign in for connectors. */
@Entity('connector_identity_providers')
@Unique('connector_identity_providers_name_unique', ['name_key'])
@Index('connector_identity_providers_order', ['created_at', 'id'])
export class IdentityProviderRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connector_identity_providers_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  /** Comparison form of name. */
  @Column('text')
  name_key!: string;

  @Column('text')
  provider_type!: ProviderType;

  @Column('text')
  source!: ProviderSource;

  /** Without the references to secrets, which are separate rows. */
  @Column('jsonb')
  config!: StoredProviderConfig;

  /** Increases with each write, so that a slow check cannot overwrite a later write. */
  @Column('integer')
  revision!: number;

  @Column(instant)
  created_at!: string;

  @Column(instant)
  updated_at!: string;
}
