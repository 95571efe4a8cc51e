import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import type { Clock } from '../kit/clock.ts';
import { InactivePeople, type TokenPerson } from './inactive-people.ts';
import type { Log } from '../telemetry/log.ts';
import type { AskForChanges } from './people-changes.ts';

const WAIT_SECONDS = 30;
/** After this time without an answer, the activity of all users is unknown. */
const LEASE_MS = 60_000;
const BACKOFF = { firstMs: 100, longestMs: 2_000, jitter: 0 };

/** What the directory says of a person. `active` stands also for a person without an entry. */
export type Activity = 'active' | 'inactive' | 'unknown';

/**
 * Follows which people the directory of the enterprise manager has deactivated or removed. A change
 * arrives at once. Where no answer came for 60 s, and before the first complete one, every person
 * is `unknown`.
 */
export class PeopleFeed {
  private readonly stopped = new AbortController();
  private reading = newReading();
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
    const { signal } = this.stopped;
    const options = {
      signal,
      backoff: new Backoff(BACKOFF),
      onFailure: (error: unknown, failures: number) => {
        if (failures === 1)
          this.log.warn(
            { err: error },
            'the enterprise manager does not say who is active; after 60 s people are refused',
          );
      },
      onRecovery: () => this.log.info({}, 'the enterprise manager says again who is active'),
    };
    // A failure is thrown only after the stop.
    while (!this.isStopped()) await retry(() => this.fetchNext(signal), options).catch(() => undefined);
  }

  private async fetchNext(signal: AbortSignal): Promise<void> {
    const { reading } = this;
    const answer = await this.ask(reading.version, reading.whole ? WAIT_SECONDS : 0, signal);
    if (answer.reset) {
      // What is known goes on until the new state was read to its end.
      this.reading = newReading();
      return;
    }
    reading.inactive.apply(answer);
    reading.version = answer.version;
    reading.whole ||= answer.people.length === 0 && answer.bindings.length === 0;
    if (!reading.whole) return;
    this.inactive = reading.inactive;
    this.answeredAt = this.now();
  }

  private isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

/** The state of a directory that is read from its beginning. */
const newReading = () => ({ version: 0, inactive: new InactivePeople(), whole: false });
