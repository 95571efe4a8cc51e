import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { NotReadyError, Readiness } from '@gatehouse/service-kit/readiness';
import { StartError } from '@gatehouse/service-kit/start-error';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { resolve } from 'node:path';
import { SettlementMetrics } from './settlement-metrics.ts';
import type { SettlementSettings } from './settlement-settings.ts';
import { UsageDelivery } from './usage-delivery.ts';
import { UsageOutbox } from './usage-outbox.ts';
import { UsageRecorder } from './usage-recorder.ts';
import { UsageReports } from './usage-reports.ts';

/** Time for the last batches of the shutdown. */
const LAST_DELIVERY_MS = 5_000;

/** The settings of the settlement and the id of this gateway at the enterprise manager. */
export type SettlementOptions = Readonly<SettlementSettings> & { readonly GATEWAY_ID: string };

/** Runs the outbox and its delivery while the service runs. */
@Injectable()
class SettlementRunner implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly delivery: UsageDelivery;

  constructor(
    private readonly outbox: UsageOutbox,
    reports: UsageReports,
    private readonly metrics: SettlementMetrics,
    private readonly clock: Clock,
    private readonly readiness: Readiness,
  ) {
    this.delivery = new UsageDelivery(outbox, reports, metrics);
  }

  onApplicationBootstrap(): void {
    this.metrics.observe(this.outbox, () => this.clock.now());
    this.readiness.register('usage outbox', () => this.requireUsable());
    this.readiness.registerWarning('usage delivery', () => this.delivery.warning);
    this.delivery.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.delivery.stop(LAST_DELIVERY_MS);
  }

  onApplicationShutdown(): Promise<void> {
    return this.outbox.close();
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a failure must reject
  private async requireUsable(): Promise<void> {
    try {
      this.outbox.requireUsable();
    } catch (cause) {
      throw new NotReadyError(describeReason(cause), cause);
    }
  }
}

/** The reason for administrators, else the message. */
function describeReason(error: unknown): string {
  const { reason, message } = error as { reason?: string; message: string };
  return reason ?? message;
}

/**
 * Records the usage of attempts in a durable outbox and reports it to the enterprise manager. It
 * provides `UsageRecorder`, and needs `UsageReports` of another module.
 */
@Global()
@Module({})
export class SettlementModule {
  static of(options: SettlementOptions): DynamicModule {
    return {
      module: SettlementModule,
      providers: [
        {
          provide: SettlementMetrics,
          useFactory: (metrics: Metrics, log: Log) => new SettlementMetrics(metrics, log),
          inject: [Metrics, Log],
        },
        {
          provide: UsageOutbox,
          useFactory: (metrics: SettlementMetrics, log: Log) => openOutbox(options, metrics, log),
          inject: [SettlementMetrics, Log],
        },
        { provide: UsageRecorder, useExisting: UsageOutbox },
        {
          provide: SettlementRunner,
          useFactory: (
            outbox: UsageOutbox,
            reports: UsageReports,
            metrics: SettlementMetrics,
            clock: Clock,
            readiness: Readiness,
          ) => new SettlementRunner(outbox, reports, metrics, clock, readiness),
          inject: [UsageOutbox, UsageReports, SettlementMetrics, Clock, Readiness],
        },
      ],
      exports: [UsageRecorder],
    };
  }
}

/** Opens the outbox, and logs what an earlier process left in it. @throws StartError */
async function openOutbox(
  { USAGE_FOLDER, MAX_USAGE_EVENTS, GATEWAY_ID }: SettlementOptions,
  metrics: SettlementMetrics,
  log: Log,
): Promise<UsageOutbox> {
  const folder = resolve(USAGE_FOLDER);
  const { outbox, opened } = await UsageOutbox.open({
    folder,
    gatewayId: GATEWAY_ID,
    maxEvents: MAX_USAGE_EVENTS,
    onCommit: (seconds) => metrics.handleCommit(seconds),
    onProblem: (error) => metrics.handleStorageProblem(error),
  }).catch((cause: unknown) => {
    throw new StartError(`USAGE_FOLDER: ${(cause as Error).message}`, { cause });
  });
  const { waiting, orphans, damaged } = opened;
  if (damaged > 0)
    log.error(
      { folder, damaged },
      'intents in the usage outbox cannot be read; their attempts are charged by no event',
    );
  if (waiting > 0)
    log.info({ folder, waiting, orphans }, 'an earlier process left usage events; orphans are charged by estimate');
  return outbox;
}
