import { Injectable } from '@nestjs/common';
import { ExchangeRefusalsRepository } from '../credentials/exchange-refusals.repository.ts';
import type { Person } from '../mcp/ports/personal-credentials.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { getUpstreamOrigin } from '../vault/token-owner.ts';
import { TokenVault } from '../vault/token-vault.ts';
import {
  type ConnectionStatus,
  getConnectionStatus,
  isExchangeConnector,
  isSignInConnector,
} from './connection-status.ts';

/** The statuses of users at connectors. */
@Injectable()
export class ConnectionStatuses {
  constructor(
    private readonly vault: TokenVault,
    private readonly refusals: ExchangeRefusalsRepository,
  ) {}

  /** The status of a user at each connector, in the order of the connectors. */
  async list({ issuer, subject }: Person, connectors: readonly Connector[]): Promise<ConnectionStatus[]> {
    const own = connectors.filter(isSignInConnector);
    const origins = new Map(own.map((connector) => [connector.id, getUpstreamOrigin(connector)]));
    const [states, refused] = await Promise.all([
      own.length === 0 ? undefined : this.vault.listStates({ issuer, subject }, origins),
      connectors.some(isExchangeConnector) ? this.refusals.list({ issuer, subject }) : undefined,
    ]);
    return connectors.map((connector) => {
      if (isExchangeConnector(connector) && refused?.has(connector.id) === true) return 'needs_auth';
      return (isSignInConnector(connector) ? states?.get(connector.id) : undefined) ?? getConnectionStatus(connector);
    });
  }
}
