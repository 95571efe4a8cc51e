import type { Entitlements } from '../ports/snapshot.ts';
import type { Access, AuthenticatedUser } from '../access/access.ts';
import { DirectoryUnavailableError, getUserKey } from '../access/directory-view.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import type { Plane } from '../calls/plane.ts';
import { createTarget, type UpstreamTarget } from '../upstreams/credential-identity.ts';
import type { ListKind } from '../upstreams/upstream.ts';
import { ViewFingerprints } from './view-fingerprints.ts';

/** An open stream that receives change notifications. */
interface Watcher {
  user: AuthenticatedUser;
  scope: EndpointScope;
  notify: (kind: ListKind) => void;
  state: ViewState | undefined;
  /** The entitlements that the last refresh used. */
  entitlements: Entitlements | undefined;
  dirty: boolean;
  /** Announcements of upstreams since the last refresh. */
  announced: { connectorId: string; kind: ListKind }[];
}

/** The fingerprint of each list of a view. */
type ViewState = Record<ListKind, string>;

const KINDS: readonly ListKind[] = ['tools', 'prompts', 'resources'];

/** Pause after a view that could not be computed. */
const RETRY_MS = 1_000;

/**
 * Notifies users with an open stream when their lists change: by a grant, or an enabled or disabled
 * connection or tool. A change that the upstream of a visible connector announces is always passed
 * on. Changes within one interval are one notification.
 */
export class LiveViews {
  private readonly watchers = new Set<Watcher>();
  private readonly fingerprints = new ViewFingerprints();
  private timer: NodeJS.Timeout | undefined;
  private isRefreshing = false;

  constructor(private readonly plane: Plane) {
    plane.directory.onChange(() => this.refreshViews(undefined));
  }

  /** Starts the notifications of one open stream. @returns a function that ends them */
  watch(user: AuthenticatedUser, scope: EndpointScope, notify: (kind: ListKind) => void): () => void {
    const watcher: Watcher = {
      user,
      scope,
      notify,
      state: undefined,
      entitlements: undefined,
      dirty: true,
      announced: [],
    };
    this.watchers.add(watcher);
    const stop = this.plane.directory.onUserChanged(user, (entitlements) => {
      // A named user may have the same entitlements as before.
      if (watcher.entitlements === entitlements) return;
      watcher.dirty = true;
      this.schedule(this.plane.limits.watchMs);
    });
    void this.refresh(watcher).then(() => watcher.dirty && this.schedule(RETRY_MS));
    return () => {
      stop();
      this.watchers.delete(watcher);
      if (this.watchers.size === 0) this.stop();
    };
  }

  /** Number of watched streams. */
  get size(): number {
    return this.watchers.size;
  }

  /**
   * Computes the views of a user again, after a sign-in at the provider of a connector or its end.
   * @param userKey undefined for all users
   */
  refreshViews(userKey: string | undefined): void {
    for (const watcher of this.watchers)
      if (userKey === undefined || getUserKey(watcher.user) === userKey) watcher.dirty = true;
    this.schedule(this.plane.limits.watchMs);
  }

  /** Passes the announcement of an upstream on to the users who see this list of its connector. */
  announce({ connector, identity }: UpstreamTarget, kind: ListKind): void {
    const { id } = connector;
    for (const watcher of this.watchers) {
      if (createTarget(connector, watcher.user).identity !== identity) continue;
      const { announced } = watcher;
      if (!announced.some((one) => one.connectorId === id && one.kind === kind))
        announced.push({ connectorId: id, kind });
      watcher.dirty = true;
    }
    this.schedule(this.plane.limits.watchMs);
  }

  /** The users with a watched stream. */
  listUsers(): ReadonlySet<string> {
    return new Set([...this.watchers].map(({ user }) => getUserKey(user)));
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(delayMs: number): void {
    if (this.watchers.size > 0) this.timer ??= setTimeout(() => void this.refreshDirty(), delayMs).unref();
  }

  private async refreshDirty(): Promise<void> {
    this.timer = undefined;
    if (this.isRefreshing) {
      this.schedule(this.plane.limits.watchMs);
      return;
    }
    this.isRefreshing = true;
    try {
      const dirty = [...this.watchers].filter((watcher) => watcher.dirty);
      await Promise.all(dirty.map((watcher) => this.refresh(watcher)));
    } finally {
      this.isRefreshing = false;
    }
    if ([...this.watchers].some((watcher) => watcher.dirty)) this.schedule(RETRY_MS);
  }

  private async refresh(watcher: Watcher): Promise<void> {
    // A change during the refresh makes the view dirty again.
    watcher.dirty = false;
    try {
      const entitlements = await this.plane.directory.getEntitlements(watcher.user);
      watcher.entitlements = entitlements;
      const rules = this.plane.directory.getRules();
      if (rules === undefined) throw new DirectoryUnavailableError('no snapshot of the directory was ever received');
      const before = watcher.state;
      const access = this.plane.accesses.get(rules, watcher.user, entitlements);
      watcher.state = await this.computeListFingerprints(access, watcher.scope);
      const announced = takeAnnounced(watcher, access);
      for (const kind of KINDS)
        if (announced.has(kind) || (before !== undefined && before[kind] !== watcher.state[kind])) {
          // The two tools of search mode never change.
          if (kind !== 'tools' || watcher.scope.mode !== 'search') watcher.notify(kind);
        }
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

/** The kinds of lists that visible connectors of the endpoint announced. */
function takeAnnounced(watcher: Watcher, access: Access): ReadonlySet<ListKind> {
  const { slug } = watcher.scope;
  const connectors = access.listConnectors().filter((connector) => slug === undefined || connector.slug === slug);
  const visible = new Set(connectors.map(({ id }) => id));
  const announced = watcher.announced.filter(({ connectorId }) => visible.has(connectorId));
  watcher.announced = [];
  return new Set(announced.map(({ kind }) => kind));
}
