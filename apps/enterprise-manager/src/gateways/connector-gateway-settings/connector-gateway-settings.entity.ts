import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ConnectorRow } from '../../access/connectors/connector.entity.ts';
import type {
  GatewayContentControls,
  GatewayLimits,
  GatewaySettingsOfConnector,
} from './connector-gateway-settings.dto.ts';

/** The settings of a connector gateway. A gateway without a row has the defaults. */
@Entity('gateway_settings')
export class GatewaySettingsRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'gateway_settings_pkey' })
  gateway_id!: string;

  /** Random; changes with every write. */
  @Column('uuid')
  revision!: string;

  @Column('json')
  limits!: GatewayLimits;

  @Column('json')
  content!: GatewayContentControls;
}

/** The settings of one connector that replace those of its gateway. */
@Entity('gateway_connector_settings')
export class GatewayConnectorSettingsRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'gateway_connector_settings_pkey' })
  connector_id!: string;

  @Column('json')
  settings!: GatewaySettingsOfConnector;

  @OneToOne(() => ConnectorRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'connector_id', foreignKeyConstraintName: 'gateway_connector_settings_connector' })
  connector!: Relation<ConnectorRow>;
}
