import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { setTimeout as sleep } from 'node:timers/promises';
import { Rules } from '../mcp/access/access.ts';
import type { PlaneLog } from '../mcp/ports/plane-log.ts';
import type { DirectoryClient } from './directory-client.ts';
import type { CopyStore } from './entitlements-cache.ts';
import { type ReceivedSnapshot, receivedDocuments } from './received-documents.ts';
import { selectUsableParts } from './usable-parts.ts';

const KEY = 'snapshot';
const WAIT_SECONDS = 30;
/** Shortest time between two snapshots, also from a manager that does not wait. */
const MIN_INTERVAL_MS = 100;
const MAX_LOGGED_VIOLATIONS = 20;
const BACKOFF = { firstMs: 250, longestMs: 10_000 };

/**
 * Follows the gateway's snapshot by long polling. The last good snapshot stays in force, in memory
 * and in the database, until a newer one arrives. A restart while the enterprise manager is down
 * uses the stored one.
 */
export class SnapshotFeed {
  private current: Rules | undefined;
  private etag: string | undefined;
  private bindingClaims: Readonly<Record<string, string>> = {};
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private readonly listeners = new Set<(getRules: Rules) => void>();

  constructor(
    private readonly client: Pick<DirectoryClient, 'fetchSnapshot'>,
    private readonly copies: CopyStore,
    private readonly log: PlaneLog,
  ) {}

  /** The connectors and policies in force; undefined before the first snapshot. */
  getRules(): Rules | undefined {
    return this.current;
  }

  /** The claim that binds an issuer's tokens to provisioned users; undefined for the subject. */
  getBindingClaim(issuer: string): string | undefined {
    return Object.hasOwn(this.bindingClaims, issuer) ? this.bindingClaims[issuer] : undefined;
  }

  /** Calls the listener after every change. */
  onChange(listener: (rules: Rules) => void): void {
    this.listeners.add(listener);
  }

  /** Adopts the stored snapshot and starts to follow. Resolves before the first request. */
  async start(): Promise<void> {
    await this.adoptCopy();
    this.running = this.follow();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopping;
    const options = {
      signal,
      backoff: new Backoff(BACKOFF),
      onFailure: (error: unknown, failures: number) => {
        if (failures === 1)
          this.log.warn({ err: error }, 'the snapshot cannot be fetched; the last one stays in force until it can');
      },
      onRecovery: (failures: number) => this.log.info({ failures }, 'the snapshot can be fetched again'),
    };
    // A failure is thrown only after the stop.
    while (!signal.aborted) await retry(() => this.fetchNext(signal), options).catch(() => undefined);
  }

  private async fetchNext(signal: AbortSignal): Promise<void> {
    const next = await this.client.fetchSnapshot(this.etag, WAIT_SECONDS, signal);
    if (next === undefined) return;
    await this.adopt(next.body, next.etag);
    await this.copies.save(KEY, { ...next, confirmedAt: new Date() });
    await sleep(MIN_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }

  private async adoptCopy(): Promise<void> {
    const copy = await this.copies.find(KEY);
    if (copy === undefined) return;
    try {
      await this.adopt(receivedDocuments.snapshot(copy.body), copy.etag);
    } catch (error) {
      this.log.warn(
        { err: error },
        'the stored snapshot cannot be used; the gateway waits for the next one of the enterprise manager',
      );
    }
  }

  private async adopt(received: ReceivedSnapshot, etag: string): Promise<void> {
    const { snapshot, violations } = await selectUsableParts(received);
    if (violations.length > 0)
      this.log.error(
        { count: violations.length, violations: violations.slice(0, MAX_LOGGED_VIOLATIONS) },
        'parts of the snapshot break the contract; their connectors are unavailable until they are corrected',
      );
    const rules = await Rules.parse(snapshot, this.current);
    if (rules.unreadable.length > 0)
      this.log.error(
        { connectors: rules.unreadable },
        'the policies of these connectors cannot be read; no user may use them',
      );
    this.current = rules;
    this.etag = etag;
    this.bindingClaims = snapshot.binding_claims;
    for (const listener of this.listeners) listener(rules);
  }
}
