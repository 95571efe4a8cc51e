import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ToolCallsRepository } from './tool-calls.repository.ts';

const EVERY_MS = 6 * 60 * 60 * 1000;
const MONTHS_AHEAD = 3;

/** Makes the partitions of the months that come before they come. Any number of replicas may do it; a failed try is repeated. */
@Injectable()
export class PartitionKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly toolCalls: ToolCallsRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.ensure();
    this.timer = setInterval(() => {
      this.ensure().catch((error: unknown) =>
        this.log.error({ err: error }, 'partitions of tool calls could not be made ahead'),
      );
    }, EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async ensure(): Promise<void> {
    const now = this.clock.now();
    const latest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + MONTHS_AHEAD, 1));
    const made = await this.toolCalls.ensurePartitions(dateOf(now), dateOf(latest));
    if (made > 0) this.log.info({ made }, 'partitions of tool calls were made ahead');
  }
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
