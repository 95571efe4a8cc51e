import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../kit/clock.ts';
import { InactivePeople, type TokenPerson } from './inactive-people.ts';
import type { Log } from '../telemetry/log.ts';
import type { AskForChanges } from './people-changes.ts';

const WAIT_SECONDS = 30;
/** Without an answer for so long nothing is known of anybody. */
const LEASE_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** What the directory says of a person. `active` stands also for a person without an entry. */
export type Activity = 'active' | 'inactive' | 'unknown';

/**
 * Follows which people the directory of the enterprise manager has deactivated or removed. A change
 * arrives at once. Where no answer came for 60 s, and before the first complete one, every person
 * is `unknown`.
 */
export class PeopleFeed {
  private readonly stopped = new AbortController();
  private inactive: InactivePeople | undefined;
  private answeredAt = Number.NEGATIVE_INFINITY;
  private following: Promise<void> | undefined;

  constructor(
    private readonly ask: AskForChanges,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly log: Pick<Log, 'warn' | 'info'>,
  ) {}

  /** Nest: begins to follow. */
  onApplicationBootstrap(): void {
    this.following ??= this.follow();
  }

  /** Nest: ends the question under way. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.following;
  }

  /** What the directory says of a person now. */
  activityOf(person: TokenPerson): Activity {
    if (this.inactive === undefined || this.now() - this.answeredAt > LEASE_MS) return 'unknown';
    return this.inactive.has(person) ? 'inactive' : 'active';
  }

  /** @throws Error while nothing is known */
  requireKnown(): Promise<void> {
    return this.activityOf({ issuer: '', subject: '', claims: {} }) === 'unknown'
      ? Promise.reject(new Error('the enterprise manager has not said who is active for 60 s, or never'))
      : Promise.resolve();
  }

  private async follow(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    let reading = { version: 0, inactive: new InactivePeople(), whole: false };
    while (!this.isStopped()) {
      try {
        const answer = await this.ask(reading.version, reading.whole ? WAIT_SECONDS : 0, this.stopped.signal);
        if (answer.reset) {
          // What is known goes on until the new state was read to its end.
          reading = { version: 0, inactive: new InactivePeople(), whole: false };
          continue;
        }
        reading.inactive.apply(answer);
        reading.version = answer.version;
        reading.whole ||= answer.people.length === 0 && answer.bindings.length === 0;
        if (reading.whole) {
          this.inactive = reading.inactive;
          this.answeredAt = this.now();
        }
        if (pauseMs > FIRST_PAUSE_MS) this.log.info({}, 'the enterprise manager says again who is active');
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        if (this.isStopped()) return;
        if (pauseMs === FIRST_PAUSE_MS)
          this.log.warn(
            { err: error },
            'the enterprise manager does not say who is active; after 60 s people are refused',
          );
        await sleep(pauseMs, undefined, { signal: this.stopped.signal }).catch(() => undefined);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  private isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
