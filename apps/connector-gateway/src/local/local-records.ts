import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ABANDONED_MS } from '../metering/abandoned-calls.ts';
import { ToolCallsRepository } from '../metering/tool-calls.repository.ts';

/** Number of records that stay in the table; further ones are in the log only. */
const KEPT_RECORDS = 100_000;
const HOUSEKEEPING_MS = 60_000;

/** Writes each record of a tool call to the log as one JSON line, and deletes old records. */
@Injectable()
export class LocalRecords implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly records: ToolCallsRepository,
    private readonly log: Log,
  ) {
    records.setRecordListener((record) => log.info({ record }, 'tool call'));
  }

  onApplicationBootstrap(): void {
    const cleanUp = () => {
      this.running = this.cleanUp();
    };
    this.timer = setInterval(cleanUp, HOUSEKEEPING_MS);
    cleanUp();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async cleanUp(): Promise<void> {
    try {
      await this.records.closeAbandoned(ABANDONED_MS);
      await this.records.pruneKept(KEPT_RECORDS);
    } catch (error) {
      this.log.warn({ err: error }, 'old records of tool calls could not be deleted');
    }
  }
}
