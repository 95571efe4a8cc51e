import type { KnownEra } from '@gatehouse/mcp/client/connection';

const KEPT_MS = 600_000;

/** Remembers for ten minutes which era an upstream speaks, with its handshake. */
export class Eras {
  private readonly known = new Map<string, { era: KnownEra; until: number }>();

  constructor(private readonly now: () => number) {}

  /** The era, if it is recent. */
  get(key: string): KnownEra | undefined {
    const entry = this.known.get(key);
    return entry !== undefined && entry.until > this.now() ? entry.era : undefined;
  }

  set(key: string, era: KnownEra): void {
    this.known.set(key, { era, until: this.now() + KEPT_MS });
  }

  delete(key: string): void {
    this.known.delete(key);
  }
}
