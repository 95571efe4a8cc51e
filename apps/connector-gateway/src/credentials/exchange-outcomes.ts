import { RefusalsService } from '@gatehouse/audit/refusals.service';
import { InvalidProviderError, ProviderRefusalError } from '@gatehouse/oauth-client/errors';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import type { Person } from '../mcp/ports/personal-credentials.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { UnusableTokenError } from '../vault/token-rules.ts';
import { ExchangeRefusalsRepository } from './exchange-refusals.repository.ts';

/** The operation of audit events about refused exchanges. */
const OPERATION = "Exchange a user's token for a connector";

/** Time in which failures of one reason are one audit event, on each replica. */
const FAILURE_PERIOD_MS = 60_000;
const MAX_FAILURES = 10_000;

/**
 * Remembers which exchanges a provider refused until the person signs in there. A failure of the
 * database is logged and ends no exchange.
 */
@Injectable()
export class ExchangeOutcomes {
  private readonly failures = new LRUCache<string, true>({ max: MAX_FAILURES, ttl: FAILURE_PERIOD_MS });

  constructor(
    private readonly refusals: ExchangeRefusalsRepository,
    private readonly audit: RefusalsService,
    private readonly log: Log,
  ) {}

  /** Stores a refusal. The first one of a person at a connector is one audit event. */
  recordRefusal(connector: Connector, { issuer, subject }: Person, { error }: ProviderRefusalError): Promise<void> {
    return this.store(connector, async () => {
      if (!(await this.refusals.add({ issuer, subject, connectorId: connector.id }, error))) return;
      await this.recordEvent(connector, { issuer, subject }, error);
    });
  }

  /**
   * Records an exchange that failed otherwise, except for an outage: at most one audit event a
   * minute for each person, connector and reason.
   */
  recordFailure(connector: Connector, { issuer, subject }: Person, error: unknown): Promise<void> {
    const reason = findReason(error);
    const key = JSON.stringify([connector.id, issuer, subject, reason]);
    if (reason === undefined || this.failures.has(key)) return Promise.resolve();
    this.failures.set(key, true);
    return this.store(connector, () => this.recordEvent(connector, { issuer, subject }, reason));
  }

  /** Ends a refusal. */
  recordSuccess(connector: Connector, { issuer, subject }: Person): Promise<void> {
    return this.store(connector, () => this.refusals.remove({ issuer, subject, connectorId: connector.id }));
  }

  private recordEvent(connector: Connector, { issuer, subject }: Person, reason: string): Promise<void> {
    return this.audit.record({
      caller: { issuer, issuerId: issuer, subject, requestId: randomUUID() },
      operation: OPERATION,
      method: 'POST',
      path: '/mcp',
      params: { id: connector.id },
      reason,
    });
  }

  private async store(connector: Connector, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.warn({ err: error, connector: connector.id }, 'the outcome of an exchange could not be stored');
    }
  }
}

/** The kind of a failure of the provider; undefined for an outage and failures of the gateway. */
function findReason(error: unknown): string | undefined {
  const isFailure =
    error instanceof ProviderRefusalError ||
    error instanceof InvalidProviderError ||
    error instanceof UnusableTokenError;
  return isFailure ? error.code : undefined;
}
