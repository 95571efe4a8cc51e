import { Rules } from '../mcp/access/access.ts';
import type { PlaneLog } from '../mcp/ports/plane-log.ts';
import type { DirectoryClient } from './directory-client.ts';
import type { FeedLease } from '@gatehouse/service-kit/feed-lease';
import { FeedLoop } from '@gatehouse/service-kit/feed-loop';
import type { ReceivedSnapshot } from './received-documents.ts';
import { selectUsableParts } from './usable-parts.ts';

const MAX_LOGGED_VIOLATIONS = 20;

/** Follows the gateway's snapshot by long polling. */
export class SnapshotFeed {
  private current: Rules | undefined;
  private etag: string | undefined;
  private bindingClaims: Readonly<Record<string, string>> = {};
  private readonly loop: FeedLoop;
  private readonly listeners = new Set<(rules: Rules) => void>();

  constructor(
    private readonly client: Pick<DirectoryClient, 'fetchSnapshot'>,
    lease: FeedLease,
    private readonly log: PlaneLog,
  ) {
    const poll = (waitSeconds: number, signal: AbortSignal) => this.fetchNext(waitSeconds, signal);
    this.loop = new FeedLoop({ name: 'snapshot', lease, poll, log });
  }

  /** The last connectors and policies; undefined before the first snapshot. */
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

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async fetchNext(waitSeconds: number, signal: AbortSignal): Promise<void> {
    const next = await this.client.fetchSnapshot(this.etag, waitSeconds, signal);
    if (next !== undefined) await this.adopt(next.body, next.etag);
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
