import { LRUCache } from 'lru-cache';
import type { CorporateGrantsRepository } from './corporate-grants.repository.ts';

/** The end of a grant acts within this time on every replica. */
const MAX_AGE_MS = 900;
const MAX_GRANTS = 10_000;

interface Read {
  readonly result: Promise<boolean>;
  isActive?: boolean;
}

/** Whether grants have ended, read at most once a second each. */
export class GrantActivity {
  private readonly reads = new LRUCache<string, Read>({ max: MAX_GRANTS, ttl: MAX_AGE_MS, ttlResolution: 0 });

  constructor(private readonly repository: Pick<CorporateGrantsRepository, 'isActive'>) {}

  /**
   * @param id the digest of the id of a grant
   * @returns at once if it was read within the last second @throws an error of the database
   */
  isActive(id: string): boolean | Promise<boolean> {
    const known = this.reads.get(id);
    if (known !== undefined) return known.isActive ?? known.result;
    const read: Read = { result: this.repository.isActive(id) };
    this.reads.set(id, read);
    read.result.then(
      (isActive) => {
        read.isActive = isActive;
      },
      () => this.reads.peek(id) === read && this.reads.delete(id),
    );
    return read.result;
  }
}
