import type { Entitlements } from '../ports/snapshot.ts';
import { Access, type Person, type Rules } from '../access/access.ts';
import type { Scope } from '../catalogue/offers.ts';
import type { Plane } from '../calls/plane.ts';
import type { ListKind } from '../upstreams/upstream.ts';
import { ViewFingerprints } from './view-fingerprints.ts';

/** An open stream that can be told about changes. */
interface Watcher {
  person: Person;
  scope: Scope;
  notify: (kind: ListKind) => void;
  seen: Seen | undefined;
  dirty: boolean;
}

interface Seen {
  rules: Rules;
  entitlements: Entitlements | undefined;
  lists: Record<ListKind, string>;
}

const KINDS: readonly ListKind[] = ['tools', 'prompts', 'resources'];

/**
 * Tells people with an open stream when what they are offered has changed: by a grant, a toggle, a
 * narrowing, or by an upstream. A person is told only of changes that the person can see; changes
 * that come close together are told once.
 */
export class LiveViews {
  private readonly watchers = new Set<Watcher>();
  private readonly fingerprints = new ViewFingerprints();
  private timer: NodeJS.Timeout | undefined;
  private looking = false;

  constructor(private readonly plane: Plane) {}

  /** Watches for one open stream. @returns ends it */
  watch(person: Person, scope: Scope, notify: (kind: ListKind) => void): () => void {
    const watcher: Watcher = { person, scope, notify, seen: undefined, dirty: true };
    this.watchers.add(watcher);
    this.timer ??= setInterval(() => void this.look(), this.plane.limits.watchMs).unref();
    void this.refresh(watcher);
    return () => {
      this.watchers.delete(watcher);
      if (this.watchers.size === 0) this.stop();
    };
  }

  /** How many streams are watched for. */
  get size(): number {
    return this.watchers.size;
  }

  /** Some upstream's lists changed, or became known: everybody's view is looked at again soon. */
  upstreamChanged(): void {
    for (const watcher of this.watchers) watcher.dirty = true;
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      await Promise.all([...this.watchers].map((watcher) => this.refresh(watcher)));
    } finally {
      this.looking = false;
    }
  }

  private async refresh(watcher: Watcher): Promise<void> {
    try {
      const entitlements = await this.plane.directory.entitlements(watcher.person);
      const rules = this.plane.directory.rules();
      const before = watcher.seen;
      if (rules === undefined) return;
      if (before !== undefined && !watcher.dirty && before.rules === rules && before.entitlements === entitlements)
        return;
      watcher.dirty = false;
      const access = new Access(rules, watcher.person, entitlements);
      watcher.seen = { rules, entitlements, lists: await this.listsOf(access, watcher.scope) };
      if (before === undefined) return;
      for (const kind of KINDS) if (before.lists[kind] !== watcher.seen.lists[kind]) watcher.notify(kind);
    } catch (error) {
      watcher.dirty = true;
      this.plane.log.warn({ err: error }, 'a live view could not be looked at');
    }
  }

  private async listsOf(access: Access, scope: Scope): Promise<Record<ListKind, string>> {
    const { offers } = this.plane;
    const [tools, prompts, resources, templates] = await Promise.all([
      offers.named(access, scope, 'tools'),
      offers.named(access, scope, 'prompts'),
      offers.resources(access, scope, 'resources'),
      offers.resources(access, scope, 'resourceTemplates'),
    ]);
    const located = [...resources, ...templates].map(({ definition, uri }) => ({ definition, name: uri }));
    const [ofTools, ofPrompts, ofResources] = await Promise.all([
      this.fingerprints.of(tools),
      this.fingerprints.of(prompts),
      this.fingerprints.of(located),
    ]);
    return { tools: ofTools, prompts: ofPrompts, resources: ofResources };
  }
}
