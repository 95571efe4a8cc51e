import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../config/config.ts';

const HEARTBEAT_MS = 2_000;

/** Seconds without a heartbeat after which a replica counts as dead. */
export const DEAD_SECONDS = 6;

/** Whether the replica `r` of a query lives, by the clock of the database. */
export const IS_ALIVE = `r.heartbeat_at > clock_timestamp() - interval '${DEAD_SECONDS} seconds'`;

/**
 * Longest pause between two signs of life of this process for it to judge others. A longer outage
 * of the database can make the last sign of a living replica look 6 s old.
 */
const MAX_PAUSE_MS = 2 * HEARTBEAT_MS;

/** Time for which the row of a dead replica is kept. */
const KEPT_SECONDS = 600;

/** This process and the other replicas of the gateway, with a sign of life of each every 2 s. */
@Injectable()
export class ReplicaRegistry {
  readonly id = randomUUID();
  private readonly url: string | null;
  private beating: NodeJS.Timeout | undefined;
  private lastBeat = { time: '', at: -Infinity };
  /** Time from which the others had the time to give a sign of life since the last pause. */
  private steadyFrom = Infinity;
  private running: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) settings: Settings,
    private readonly log: Log,
  ) {
    this.url = settings.REPLICA_URL ?? null;
  }

  /** Registers this process. @param onBeat is called after each sign of life */
  async start(onBeat: () => void): Promise<void> {
    const run = async () => {
      this.running ??= this.beat(onBeat).finally(() => (this.running = undefined));
      await this.running;
    };
    this.beating = setInterval(() => void run(), HEARTBEAT_MS).unref();
    await run();
  }

  /** Gives no further sign of life. */
  async end(): Promise<void> {
    clearInterval(this.beating);
    await this.running;
  }

  /** Removes this process, unless other replicas must end its streams. */
  async remove(): Promise<void> {
    await this.dataSource
      .query(
        `DELETE FROM mcp_replicas WHERE id = $1
         AND NOT EXISTS (SELECT FROM mcp_streams WHERE replica_id = $1 AND expires_at IS NULL)`,
        [this.id],
      )
      .catch(() => undefined);
  }

  /**
   * The last sign of life of this process if it may judge that others are dead. After an outage of
   * the database the signs of life of all replicas are old, so it waits until each could give a new
   * one. A statement that judges checks that this sign is still the last one, since it may have
   * waited for the end of an outage itself.
   */
  get judgeSince(): string | undefined {
    const now = performance.now();
    return now >= this.steadyFrom && now - this.lastBeat.at < MAX_PAUSE_MS ? this.lastBeat.time : undefined;
  }

  /** The address of a living replica; undefined for any other. */
  async findUrl(id: string): Promise<string | undefined> {
    const rows = await this.dataSource.query<{ url: string | null }[]>(
      `SELECT r.url FROM mcp_replicas r WHERE r.id::text = $1 AND ${IS_ALIVE}`,
      [id],
    );
    return rows[0]?.url ?? undefined;
  }

  /** Deletes the rows of replicas that died long ago. */
  async prune(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM mcp_replicas WHERE heartbeat_at < clock_timestamp() - interval '${KEPT_SECONDS} seconds'`,
    );
  }

  private async beat(onBeat: () => void): Promise<void> {
    try {
      const rows = await this.dataSource.query<{ time: string }[]>(
        `INSERT INTO mcp_replicas (id, url, heartbeat_at) VALUES ($1, $2, clock_timestamp())
         ON CONFLICT (id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at RETURNING heartbeat_at::text AS time`,
        [this.id, this.url],
      );
      const at = performance.now();
      if (at - this.lastBeat.at > MAX_PAUSE_MS) this.steadyFrom = at + DEAD_SECONDS * 1_000;
      this.lastBeat = { time: rows[0]?.time ?? '', at };
      onBeat();
    } catch (error) {
      this.log.warn({ err: error }, 'this replica could not give a sign of life to the others');
    }
  }
}
