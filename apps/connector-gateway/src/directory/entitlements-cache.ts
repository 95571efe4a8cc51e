import { DirectoryUnavailableError, personKey } from '../mcp/access/directory-view.ts';
import { type DirectoryClient, DirectoryError, type Tagged, type TokenPerson } from './directory-client.ts';
import type { Copy } from './directory-copies.ts';
import { Entitlements } from '../mcp/ports/snapshot.ts';

/** How entitlements are kept. */
export interface EntitlementsOptions {
  /**
   * How long an answer is used without asking again; 0 asks for every request (with If-None-Match).
   */
  maxAgeMs: number;
  /** How long somebody who was known is served while the enterprise manager cannot be asked. */
  graceMs: number;
  now: () => Date;
}

/** Where known people outlive the process. */
export interface CopyStore {
  find(key: string): Promise<Copy<unknown> | undefined>;
  keep(key: string, copy: Copy<unknown>): Promise<void>;
  forget(key: string): Promise<void>;
}

interface Known {
  /** Undefined: the directory does not know this person. */
  body: Entitlements | undefined;
  etag: string | undefined;
  confirmedAt: number;
  keptAt: number;
}

const MAX_PEOPLE = 20_000;
/**
 * How long the enterprise manager is not asked again after it could not be reached, if there is a
 * copy to go by.
 */
const PAUSE_MS = 1_000;
/** How often an unchanged copy is confirmed in the database. */
const KEEP_EVERY_MS = 30_000;

/**
 * What the directory says about people. Asked for every request, so that every change acts on the
 * next one; an unchanged answer is a 304 and gives the very same object. While the enterprise
 * manager is down, whoever was known is served for a bounded time and everybody else is not.
 */
export class EntitlementsCache {
  private readonly people = new Map<string, Known>();
  private pausedUntil = 0;

  constructor(
    private readonly client: Pick<DirectoryClient, 'entitlements'>,
    private readonly copies: CopyStore,
    private readonly options: EntitlementsOptions,
  ) {}

  /**
   * @param maxAgeMs how long an answer is used without asking again
   * @returns undefined for somebody whom the directory does not know
   * @throws DirectoryUnavailableError
   */
  async of(person: TokenPerson, maxAgeMs = this.options.maxAgeMs): Promise<Entitlements | undefined> {
    const key = personKey(person);
    const now = this.options.now().getTime();
    const known = this.people.get(key);
    if (known !== undefined && now - known.confirmedAt < maxAgeMs) return known.body;
    if (known !== undefined && now < this.pausedUntil) return this.withinGrace(known, now);
    try {
      return await this.ask(person, key, known);
    } catch (error) {
      // Whoever answers is there. What it refuses to be asked about one person must not keep
      // anybody else on old copies.
      if (!isRefusal(error)) this.pausedUntil = now + PAUSE_MS;
      const copy = known ?? (await this.remembered(key));
      if (copy === undefined)
        throw new DirectoryUnavailableError('the directory cannot be asked about an unknown person', { cause: error });
      return this.withinGrace(copy, now, error);
    }
  }

  private async ask(person: TokenPerson, key: string, known: Known | undefined): Promise<Entitlements | undefined> {
    const answer = await this.fetch(person, known?.etag);
    const confirmedAt = this.options.now().getTime();
    if (answer === 'same' && known !== undefined) {
      known.confirmedAt = confirmedAt;
      if (confirmedAt - known.keptAt >= KEEP_EVERY_MS) await this.keep(key, known);
      return known.body;
    }
    const fresh: Known =
      answer === 'unknown' || answer === 'same'
        ? { body: undefined, etag: undefined, confirmedAt, keptAt: confirmedAt }
        : { body: answer.body, etag: answer.etag, confirmedAt, keptAt: 0 };
    this.remember(key, fresh);
    if (fresh.body === undefined) await this.copies.forget(key);
    else await this.keep(key, fresh);
    return fresh.body;
  }

  private async fetch(
    person: TokenPerson,
    etag: string | undefined,
  ): Promise<Tagged<Entitlements> | 'same' | 'unknown'> {
    try {
      return (await this.client.entitlements(person, etag)) ?? 'same';
    } catch (error) {
      if (error instanceof DirectoryError && error.status === 404) return 'unknown';
      throw error;
    }
  }

  private async keep(key: string, known: Known): Promise<void> {
    known.keptAt = known.confirmedAt;
    await this.copies.keep(key, { body: known.body, etag: known.etag ?? '', confirmedAt: new Date(known.confirmedAt) });
  }

  private async remembered(key: string): Promise<Known | undefined> {
    const copy = await this.copies.find(key);
    const parsed = copy && Entitlements.safeParse(copy.body);
    if (copy === undefined || parsed?.success !== true) return undefined;
    const confirmedAt = copy.confirmedAt.getTime();
    const known: Known = { body: parsed.data, etag: copy.etag, confirmedAt, keptAt: confirmedAt };
    this.remember(key, known);
    return known;
  }

  private remember(key: string, known: Known): void {
    this.people.delete(key);
    this.people.set(key, known);
    if (this.people.size <= MAX_PEOPLE) return;
    const [oldest] = this.people.keys();
    if (oldest !== undefined) this.people.delete(oldest);
  }

  private withinGrace(known: Known, now: number, cause?: unknown): Entitlements | undefined {
    if (now - known.confirmedAt <= this.options.graceMs) return known.body;
    throw new DirectoryUnavailableError('what is known about this person is too old', { cause });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof DirectoryError && (error.status === 400 || error.status === 414 || error.status === 431);
}
