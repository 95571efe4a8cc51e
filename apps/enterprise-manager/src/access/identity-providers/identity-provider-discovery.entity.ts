import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { instant } from '../../database/instant.ts';
import type { DiscoveryStatus } from './discovery.ts';
import { IdentityProviderRow } from './identity-provider.entity.ts';

/**
 * What the last check of an identity provider found. It stands apart: a check is no change for
 * gateways.
 */
@Entity('identity_provider_discoveries')
export class IdentityProviderDiscoveryRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'identity_provider_discoveries_pkey' })
  provider_id!: string;

  @Column('text')
  status!: DiscoveryStatus;

  @Column(instant)
  checked_at!: string;

  @Column('text', { nullable: true })
  error!: string | null;

  @OneToOne(() => IdentityProviderRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'provider_id', foreignKeyConstraintName: 'identity_provider_discoveries_provider_fkey' })
  provider!: Relation<IdentityProviderRow>;
}
