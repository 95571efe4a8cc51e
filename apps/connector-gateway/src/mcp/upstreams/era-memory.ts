import type { KnownEra } from '@gatehouse/mcp/client/connection';

const KEPT_MS = 600_000;

/** Remembers for ten minutes which era an upstream speaks, with its handshake, for one identity. */
export class EraMemory {
  private known: { era: KnownEra; until: number } | undefined;

  constructor(private readonly now: () => number) {}

  /** The era, if it is recent. */
  get(): KnownEra | undefined {
    return this.known !== undefined && this.known.until > this.now() ? this.known.era : undefined;
  }

  set(era: KnownEra): void {
    this.known = { era, until: this.now() + KEPT_MS };
  }

  forget(): void {
    this.known = undefined;
  }
}
