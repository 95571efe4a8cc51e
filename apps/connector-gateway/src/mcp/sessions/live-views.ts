import type { Entitlements } from '../ports/snapshot.ts';
import { Access, type AuthenticatedUser, type Rules } from '../access/access.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import type { Plane } from '../calls/plane.ts';
import type { ListKind } from '../upstreams/upstream.ts';
import { ViewFingerprints } from './view-fingerprints.ts';

/** An open stream that receives change notifications. */
interface Watcher {
  user: AuthenticatedUser;
  scope: EndpointScope;
  notify: (kind: ListKind) => void;
  state: ViewState | undefined;
  dirty: boolean;
}

interface ViewState {
  rules: Rules;
  entitlements: Entitlements | undefined;
  lists: Record<ListKind, string>;
}

const KINDS: readonly ListKind[] = ['tools', 'prompts', 'resources'];

/**
 * Notifies users with an open stream when their lists change: by a grant, an enabled or disabled
 * connection or tool, or an upstream. A user is notified only of visible changes. Changes within
 * one interval are one notification.
 */
export class LiveViews {
  private readonly watchers = new Set<Watcher>();
  private readonly fingerprints = new ViewFingerprints();
  private timer: NodeJS.Timeout | undefined;
  private isRefreshing = false;

  constructor(private readonly plane: Plane) {}

  /** Starts the notifications of one open stream. @returns a function that ends them */
  watch(user: AuthenticatedUser, scope: EndpointScope, notify: (kind: ListKind) => void): () => void {
    const watcher: Watcher = { user, scope, notify, state: undefined, dirty: true };
    this.watchers.add(watcher);
    this.timer ??= setInterval(() => void this.refreshAll(), this.plane.limits.watchMs).unref();
    void this.refresh(watcher);
    return () => {
      this.watchers.delete(watcher);
      if (this.watchers.size === 0) this.stop();
    };
  }

  /** Number of watched streams. */
  get size(): number {
    return this.watchers.size;
  }

  /** Marks all views for a refresh after a change of an upstream's lists. */
  markAllDirty(): void {
    for (const watcher of this.watchers) watcher.dirty = true;
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async refreshAll(): Promise<void> {
    if (this.isRefreshing) return;
    this.isRefreshing = true;
    try {
      await Promise.all([...this.watchers].map((watcher) => this.refresh(watcher)));
    } finally {
      this.isRefreshing = false;
    }
  }

  private async refresh(watcher: Watcher): Promise<void> {
    try {
      const entitlements = await this.plane.directory.getEntitlements(watcher.user);
      const rules = this.plane.directory.getRules();
      const before = watcher.state;
      if (rules === undefined) return;
      if (before !== undefined && !watcher.dirty && before.rules === rules && before.entitlements === entitlements)
        return;
      watcher.dirty = false;
      const access = new Access(rules, watcher.user, entitlements);
      watcher.state = { rules, entitlements, lists: await this.computeListFingerprints(access, watcher.scope) };
      if (before === undefined) return;
      for (const kind of KINDS) if (before.lists[kind] !== watcher.state.lists[kind]) watcher.notify(kind);
    } catch (error) {
      watcher.dirty = true;
      this.plane.log.warn(
        { err: error },
        'the lists of an open stream could not be refreshed; the next interval tries again',
      );
    }
  }

  private async computeListFingerprints(access: Access, scope: EndpointScope): Promise<Record<ListKind, string>> {
    const { offers } = this.plane;
    const [tools, prompts, resources, templates] = await Promise.all([
      offers.listNamed(access, scope, 'tools'),
      offers.listNamed(access, scope, 'prompts'),
      offers.listResources(access, scope, 'resources'),
      offers.listResources(access, scope, 'resourceTemplates'),
    ]);
    const located = [...resources, ...templates].map(({ definition, uri }) => ({ definition, name: uri }));
    const [ofTools, ofPrompts, ofResources] = await Promise.all([
      this.fingerprints.getFingerprint(tools),
      this.fingerprints.getFingerprint(prompts),
      this.fingerprints.getFingerprint(located),
    ]);
    return { tools: ofTools, prompts: ofPrompts, resources: ofResources };
  }
}
