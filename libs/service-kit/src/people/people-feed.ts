import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import type { Clock } from '../kit/clock.ts';
import { InactivePeople, type TokenPerson } from './inactive-people.ts';
import type { Log } from '../telemetry/log.ts';
import type { FetchPeopleChanges } from './people-changes.ts';

const WAIT_SECONDS = 30;
/** After this time without an answer, the activity of all users is unknown. */
const LEASE_MS = 60_000;
const BACKOFF = { firstMs: 100, longestMs: 2_000, jitter: 0 };

/** The activity of a user in the directory. A user without an entry is `active`. */
export type Activity = 'active' | 'inactive' | 'unknown';

/**
 * Reads the users that the directory of the enterprise manager has deactivated or removed. A change
 * arrives at once. Before the first complete answer, and 60 s after the last one, every user is
 * `unknown`.
 */
export class PeopleFeed {
  private readonly stopped = new AbortController();
  private reading = newReading();
  private inactive: InactivePeople | undefined;
  private answeredAt = Number.NEGATIVE_INFINITY;
  /** The next answer comes at once, so that one lost request does not end the lease. */
  private hasFailed = false;
  private following: Promise<void> | undefined;

  constructor(
    private readonly fetchChanges: FetchPeopleChanges,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly log: Pick<Log, 'warn' | 'info'>,
  ) {}

  /** Nest: begins to read. */
  onApplicationBootstrap(): void {
    this.following ??= this.follow();
  }

  /** Nest: ends the current request. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.following;
  }

  /** The current activity of a user. */
  getActivity(person: TokenPerson): Activity {
    if (this.inactive === undefined || this.now() - this.answeredAt > LEASE_MS) return 'unknown';
    return this.inactive.has(person) ? 'inactive' : 'active';
  }

  /** @throws Error while the activity of users is unknown */
  requireKnown(): Promise<void> {
    return this.getActivity({ issuer: '', subject: '', claims: {} }) === 'unknown'
      ? Promise.reject(new Error('the enterprise manager has not sent the inactive users within the last 60 s'))
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
            'the enterprise manager does not send the inactive users; after 60 s all users are refused',
          );
      },
      onRecovery: () => this.log.info({}, 'the enterprise manager sends the inactive users again'),
    };
    // A failure is thrown only after the stop.
    while (!this.isStopped()) await retry(() => this.fetchNext(signal), options).catch(() => undefined);
  }

  private async fetchNext(signal: AbortSignal): Promise<void> {
    const { reading } = this;
    const waitSeconds = reading.isComplete && !this.hasFailed ? WAIT_SECONDS : 0;
    this.hasFailed = true;
    const changes = await this.fetchChanges(reading.version, waitSeconds, signal);
    this.hasFailed = false;
    if (changes.reset) {
      // The known users stay until the new state is complete.
      this.reading = newReading();
      return;
    }
    reading.inactive.apply(changes);
    reading.version = changes.version;
    reading.isComplete ||= changes.people.length === 0 && changes.bindings.length === 0;
    if (!reading.isComplete) return;
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
const newReading = () => ({ version: 0, inactive: new InactivePeople(), isComplete: false });
