import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { instant } from '@gatehouse/database/instant';
import type { ProviderCheckStatus } from './provider-check-outcome.ts';
import { IdentityProviderRow } from './identity-provider.entity.ts';

/**
 * The outcome of the last check of an identity provider. It is a separate table, because a check
 * does not change the provider for gateways.
 */
@Entity('identity_provider_discoveries')
export class IdentityProviderDiscoveryRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'identity_provider_discoveries_pkey' })
  provider_id!: string;

  @Column('text')
  status!: ProviderCheckStatus;

  @Column(instant)
  checked_at!: string;

  @Column('text', { nullable: true })
  error!: string | null;

  @OneToOne(() => IdentityProviderRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'provider_id', foreignKeyConstraintName: 'identity_provider_discoveries_provider_fkey' })
  provider!: Relation<IdentityProviderRow>;
}
