import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import type { ForbiddenEvent } from '@gatehouse/service-kit/start';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditRepository } from './audit.repository.ts';
import { type RefusedCall, RefusalLedger } from './refusal-ledger.ts';

/**
 * A caller has this many lines at once and a line a second in the long run: more than anybody meets
 * by mistake, and 86,400 a day at most.
 */
const BOUNDS = { burst: 500, perSecond: 1, callers: 10_000 };
const COUNTS_EVERY_MS = 60_000;
const LONGEST_ID = 256;

/**
 * Keeps every 403. Anybody with a token can be refused as fast as they can ask, so what comes
 * faster than anybody works is counted: its line is written within a minute and says how many
 * refusals it stands for. The first refusal of an operation always has its line before it is
 * answered.
 */
@Injectable()
export class RefusalsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly ledger = new RefusalLedger(BOUNDS);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: AuditRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.writeCounts(), COUNTS_EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writeCounts();
  }

  /**
   * Keeps a request that was answered 403. What the caller sent is kept only where it looks like an
   * id.
   */
  async record({ caller, operation, params }: ForbiddenEvent): Promise<void> {
    const named = params['id'] ?? params['group_id'] ?? params['gateway_id'];
    const object_id = named !== undefined && named.length <= LONGEST_ID && /^[\x21-\x7e]+$/.test(named) ? named : null;
    const { issuer, subject, requestId } = caller;
    const call = { issuer, subject, requestId, operation, object_id };
    if (this.ledger.note(call, this.clock.now().getTime()) === 'line') await this.write(call, 1);
  }

  private async writeCounts(): Promise<void> {
    for (const { call, occurrences } of this.ledger.take()) {
      await this.write(call, occurrences).catch((error: unknown) =>
        this.log.error({ err: error, ...call, occurrences }, 'refusals that were counted could not be recorded'),
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
