import { RefusalsService } from '@gatehouse/audit/refusals.service';
import type { ProviderRefusalError } from '@gatehouse/oauth-client/errors';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Person } from '../mcp/ports/personal-credentials.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { ExchangeRefusalsRepository } from './exchange-refusals.repository.ts';

/** The operation of audit events about refused exchanges. */
const OPERATION = "Exchange a user's token for a connector";

/**
 * Remembers which exchanges a provider refused until the person signs in there. A failure of the
 * database is logged and ends no exchange.
 */
@Injectable()
export class ExchangeOutcomes {
  constructor(
    private readonly refusals: ExchangeRefusalsRepository,
    private readonly audit: RefusalsService,
    private readonly log: Log,
  ) {}

  /** Stores a refusal. The first one of a person at a connector is one audit event. */
  recordRefusal(connector: Connector, { issuer, subject }: Person, { error }: ProviderRefusalError): Promise<void> {
    return this.store(connector, async () => {
      if (!(await this.refusals.add({ issuer, subject, connectorId: connector.id }, error))) return;
      await this.audit.record({
        caller: { issuer, issuerId: issuer, subject, requestId: randomUUID() },
        operation: OPERATION,
        method: 'POST',
        path: '/mcp',
        params: { id: connector.id },
        reason: error,
      });
    });
  }

  /** Ends a refusal. */
  recordSuccess(connector: Connector, { issuer, subject }: Person): Promise<void> {
    return this.store(connector, () => this.refusals.remove({ issuer, subject, connectorId: connector.id }));
  }

  private async store(connector: Connector, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.warn({ err: error, connector: connector.id }, 'the outcome of an exchange could not be stored');
    }
  }
}
