import { Log } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { Inject, Injectable, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { getDirectorySettings, SETTINGS, type Settings } from '../config/config.ts';
import { DirectoryModule } from '../directory/directory.module.ts';
import { Directory } from '../directory/directory.ts';
import { ABANDONED_MS } from '../metering/abandoned-calls.ts';
import { MeteringModule } from '../metering/metering.module.ts';
import { ToolCallsRepository } from '../metering/tool-calls.repository.ts';
import { Delivery } from './delivery.ts';

/** Runs the delivery while the service runs. */
@Injectable()
class DeliveryRunner implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly delivery: Delivery;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly outbox: ToolCallsRepository,
    private readonly metrics: Metrics,
    directory: Directory,
    log: Log,
  ) {
    this.delivery = new Delivery(outbox, (calls) => directory.client.deliverToolCalls(calls), log, {
      gatewayId: getDirectorySettings(settings).GATEWAY_ID,
      environment: settings.ENVIRONMENT,
      abandonedMs: ABANDONED_MS,
    });
  }

  onApplicationBootstrap(): void {
    const waiting = this.metrics.meter.createObservableGauge('gatehouse.outbox.records', {
      description: 'Tool-call records that wait for delivery, or were rejected',
    });
    waiting.addCallback(async (result) => {
      const { ready, rejected } = await this.outbox.countBacklog();
      result.observe(ready, { state: 'ready' });
      result.observe(rejected, { state: 'rejected' });
    });
    this.delivery.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.delivery.stop();
  }
}

/** Delivers the records of tool calls to the enterprise manager. */
@Module({ imports: [DirectoryModule, MeteringModule], providers: [DeliveryRunner] })
export class DeliveryModule {}
