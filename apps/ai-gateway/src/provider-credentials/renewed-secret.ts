import { Backoff } from '@gatehouse/retry/backoff';
import { ProviderCredentialError } from './provider-credential-error.ts';
import type { SecretSource } from './secret-source.ts';

/** The time for which a value is used while its source does not answer. */
const GRACE_MS = 3_600_000;
/** The pauses after a failed read, and between reads of a value that the provider refuses. */
const PAUSES = { firstMs: 2_000, longestMs: 60_000, jitter: 0 };

/** A secret in memory, which is read again before it is old. */
export class RenewedSecret {
  private current: string | undefined;
  private currentProblem: string | undefined = 'its credential has not been read yet';
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private hasEnded = false;
  private readonly failurePauses = new Backoff(PAUSES);
  private readonly refusalPauses = new Backoff(PAUSES);
  private readAgainAt = 0;

  /** @param onChange is called after each change of the problem */
  constructor(
    private readonly source: SecretSource,
    private readonly onChange: (problem: string | undefined) => void,
  ) {
    this.renew();
  }

  /** The value; undefined while there is none. */
  get value(): string | undefined {
    return this.current;
  }

  /** Why there is no value, or why it is not current. */
  get problem(): string | undefined {
    return this.currentProblem;
  }

  /** Whether its first read has ended, with a value or a problem. */
  get wasRead(): boolean {
    return this.hasEnded;
  }

  /** Reads the secret again, because the provider refused its value. */
  reportRefused(): void {
    if (performance.now() >= this.readAgainAt) this.renew();
  }

  /** Forgets the value. */
  close(): void {
    this.isClosed = true;
    this.current = undefined;
    clearTimeout(this.timer);
  }

  private renew(): void {
    clearTimeout(this.timer);
    this.reading ??= this.read().finally(() => (this.reading = undefined));
  }

  private async read(): Promise<void> {
    try {
      const value = await this.source.read();
      if (this.isClosed) return;
      this.accept(value);
      this.schedule(this.source.maxAgeMs);
    } catch (error) {
      if (this.isClosed) return;
      this.refuse(error);
      this.schedule(this.failurePauses.next());
    } finally {
      this.hasEnded = true;
    }
  }

  private accept(value: string): void {
    this.failurePauses.reset();
    // A refused value that stays the same is read again ever more rarely.
    if (value !== this.current) this.refusalPauses.reset();
    this.readAgainAt = performance.now() + this.refusalPauses.next();
    this.current = value;
    this.readAt = performance.now();
    this.setProblem(undefined);
  }

  private refuse(error: unknown): void {
    const isOutage = !(error instanceof ProviderCredentialError) || error.isOutage;
    if (!isOutage || performance.now() - this.readAt > GRACE_MS) this.current = undefined;
    this.setProblem(error instanceof ProviderCredentialError ? error.message : 'its credential cannot be read');
  }

  private setProblem(problem: string | undefined): void {
    if (problem === this.currentProblem) return;
    this.currentProblem = problem;
    this.onChange(problem);
  }

  private schedule(ms: number): void {
    this.timer = setTimeout(() => this.renew(), ms).unref();
  }
}
