import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { KeysRepository } from './keys.repository.ts';

/** Delay between the first recorded use and the write of the batch. */
const WRITE_DELAY_MS = 2_000;
/** Minimum time between two writes of the same key. */
const MIN_WRITE_INTERVAL_MS = 60_000;

interface PendingUse {
  usedAt: number;
  writtenAt: number;
}

/**
 * Records when keys were last used. Times are collected in memory and written in batches, at most
 * once a minute for each key, and at shutdown. A killed process loses at most one minute.
 */
@Injectable()
export class KeyLastUseRecorder implements OnModuleDestroy {
  private readonly uses = new Map<string, PendingUse>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: KeysRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Records a use of a key. The latest time counts.
   * @param usedAtMs milliseconds since the epoch
   */
  record(keyId: string, usedAtMs: number): void {
    const use = this.uses.get(keyId);
    if (use) use.usedAt = Math.max(use.usedAt, usedAtMs);
    else this.uses.set(keyId, { usedAt: usedAtMs, writtenAt: -Infinity });
    this.timer ??= setTimeout(() => void this.write(), WRITE_DELAY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.timer);
    await this.flush(({ usedAt, writtenAt }) => usedAt > writtenAt);
  }

  private async write(): Promise<void> {
    const now = this.clock.now().getTime();
    await this.flush(({ usedAt, writtenAt }) => usedAt > writtenAt && now - writtenAt >= MIN_WRITE_INTERVAL_MS);
    for (const [keyId, { usedAt, writtenAt }] of this.uses) {
      if (usedAt <= writtenAt && now - writtenAt >= MIN_WRITE_INTERVAL_MS) this.uses.delete(keyId);
    }
    this.timer = this.uses.size === 0 ? undefined : setTimeout(() => void this.write(), WRITE_DELAY_MS).unref();
  }

  /** Writes the due uses. After a failure they remain due for the next write. */
  private async flush(isDue: (use: PendingUse) => boolean): Promise<void> {
    const batch = [...this.uses]
      .filter(([, use]) => isDue(use))
      .map(([keyId, use]) => [keyId, use, use.usedAt] as const);
    if (batch.length === 0) return;
    try {
      await this.keys.updateLastUses(
        new Map(batch.map(([keyId, , usedAt]) => [keyId, new Date(usedAt).toISOString()])),
      );
      for (const [, use, usedAt] of batch) use.writtenAt = usedAt;
    } catch (error) {
      this.log.warn(
        { err: error, keys: batch.length },
        'cannot write the last uses of keys; the next write tries again',
      );
    }
  }
}
