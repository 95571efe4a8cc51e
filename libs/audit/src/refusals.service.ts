import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import type { ForbiddenEvent } from '@gatehouse/service-kit/start';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditRepository } from './audit.repository.ts';
import { type RefusedCall, RefusalLimiter } from './refusal-limiter.ts';

/** Callers do not exceed these limits by mistake. */
const LIMITS = { burst: 500, perSecond: 1, maxCallers: 10_000 };
const COUNT_INTERVAL_MS = 60_000;
const MAX_ID_LENGTH = 256;

/**
 * Records every request that is answered 403 in the audit trail. Refusals at a high rate are
 * counted, so that a caller cannot flood the audit trail: one event with their number is written
 * within a minute. The event of the first refusal of an operation is stored before the answer. Nest
 * calls the functions for start and shutdown by their names.
 */
export class RefusalsService {
  private readonly limiter = new RefusalLimiter(LIMITS);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: AuditRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.writeCounts(), COUNT_INTERVAL_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writeCounts();
  }

  /**
   * Records a request that was answered 403. An object id of the request is stored only if it has
   * the form of an id.
   */
  async record({ caller, operation, params }: ForbiddenEvent): Promise<void> {
    const requestedId = params['id'] ?? params['group_id'] ?? params['gateway_id'];
    const object_id =
      requestedId !== undefined && requestedId.length <= MAX_ID_LENGTH && /^[\x21-\x7e]+$/.test(requestedId)
        ? requestedId
        : null;
    const { issuer, subject, requestId } = caller;
    const call = { issuer, subject, requestId, operation, object_id };
    if (this.limiter.register(call, this.clock.now().getTime()) === 'event') await this.write(call, 1);
  }

  private async writeCounts(): Promise<void> {
    for (const { call, occurrences } of this.limiter.takeCounts()) {
      await this.write(call, occurrences).catch((error: unknown) =>
        this.log.error({ err: error, ...call, occurrences }, 'counted refusals could not be stored in the audit trail'),
      );
    }
  }

  private write({ requestId, ...call }: RefusedCall, occurrences: number): Promise<void> {
    return this.repository.insert(this.dataSource.manager, {
      ...call,
      occurred_at: this.clock.now().toISOString(),
      id: uuidv7(),
      request_id: requestId,
      object_kind: null,
      outcome: 'forbidden',
      changed_fields: [],
      occurrences,
    });
  }
}
