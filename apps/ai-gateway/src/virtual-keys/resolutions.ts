import { Backoff } from '@gatehouse/retry/backoff';
import { Bulkhead } from '@gatehouse/retry/bulkhead';
import { retry } from '@gatehouse/retry/retry';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { ManagerClient } from '../manager/manager-client.ts';
import type { ResolvedKey } from '../manager/received-documents.ts';

/** The limits of requests to the enterprise manager. They protect it from invented keys. */
const LIMITS = { running: 64, waiting: 2_000, newPerSecond: 1_000 };
/** The time limit of a resolution with its repetition. */
const TIMEOUT_MS = 2_000;
const MAX_RETRIES = 1;
const BACKOFF = { firstMs: 50, longestMs: 200 };
const RETRY_AFTER_MS = 1_000;

/** Sends resolutions of keys to the enterprise manager: one at a time for each key, and bounded. */
export class Resolutions {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly bulkhead = new Bulkhead(LIMITS.running, LIMITS.waiting);
  private readonly newKeys = new RateLimiterMemory({ points: LIMITS.newPerSecond, duration: 1 });

  constructor(private readonly manager: Pick<ManagerClient, 'resolveKey'>) {}

  /**
   * Runs the resolution of a key, or joins the running one.
   * @param work handles the result; it is called once for all concurrent callers
   */
  share<T>(hash: string, work: () => Promise<T>): Promise<T> {
    const running = this.running.get(hash) as Promise<T> | undefined;
    if (running !== undefined) return running;
    const started = work().finally(() => this.running.delete(hash));
    this.running.set(hash, started);
    return started;
  }

  /**
   * Resolves a key.
   * @param isNew whether the key is not known yet
   * @returns undefined if no usable key has this secret
   * @throws ManagerError
   * @throws ModelCallError `unavailable` for too many requests
   */
  async resolve(hash: string, isNew: boolean): Promise<ResolvedKey | undefined> {
    if (isNew) await this.newKeys.consume('').catch(throwBusy);
    const options = {
      backoff: new Backoff(BACKOFF),
      maxRetries: MAX_RETRIES,
      shouldRetry: (error: unknown) => error instanceof ManagerError && error.isOutage,
    };
    const resolve = () => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return retry(() => this.manager.resolveKey(hash, signal), { ...options, signal });
    };
    return this.bulkhead.run(resolve, createBusyError);
  }
}

const createBusyError = (): ModelCallError =>
  new ModelCallError('unavailable', 'The gateway checks too many API keys. Try again later.', {
    reason: 'key_resolutions',
    retryAfterMs: RETRY_AFTER_MS,
  });

function throwBusy(): never {
  throw createBusyError();
}
