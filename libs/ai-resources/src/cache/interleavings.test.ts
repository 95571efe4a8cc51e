import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Resource } from '../resource.ts';
import { FakeHistory, FakeWatch } from './fake-store.fixture.ts';
import { ResourceCache } from './resource-cache.ts';

const NAMES = ['a', 'b', 'c'];

/** The steps of a run. A number selects the name, or the answer that arrives. */
const anyStep = fc.tuple(
  fc.constantFrom(
    'write here',
    'write elsewhere',
    'delete here',
    'delete elsewhere',
    'read',
    'answer arrives',
    'event arrives',
    'watch breaks',
    'list is taken',
    'list arrives',
  ),
  fc.nat({ max: 11 }),
);

/**
 * A store, a writer whose answers arrive late and in any order, and a watch whose events arrive
 * late and in order, and which breaks and lists again.
 */
class Run {
  readonly #history = new FakeHistory();
  readonly #watch = new FakeWatch();
  readonly #answers: (() => void)[] = [];
  /** The next event of the watch; undefined while it is broken. */
  #position: number | undefined;
  #list: { resources: Resource[]; version: number } | undefined;
  readonly #seen = new Map<string, Resource>();
  readonly #gone = new Set<string>();
  readonly cache = new ResourceCache<Resource>(this.#watch, {
    onState: () => undefined,
    onListenerError: (error) => {
      throw error;
    },
  });

  constructor() {
    void this.cache.run(new AbortController().signal);
    this.cache.onChange(() => this.#look());
  }

  step(action: string, number: number): void {
    const name = NAMES[number % NAMES.length]!;
    if (action === 'write here') this.#answer(this.#history.write(name));
    if (action === 'write elsewhere') this.#history.write(name);
    if (action === 'delete elsewhere') this.#history.delete(name);
    if (action === 'delete here') this.#deleteHere(name);
    if (action === 'read') this.#answer(this.#history.present.get(name));
    if (action === 'answer arrives') this.#answers.splice(number % Math.max(this.#answers.length, 1), 1)[0]?.();
    if (action === 'event arrives') this.#deliverEvent();
    if (action === 'watch breaks') [this.#position, this.#list] = [undefined, undefined];
    if (action === 'list is taken' && this.#position === undefined)
      this.#list = { resources: [...this.#history.present.values()], version: this.#history.version };
    if (action === 'list arrives') this.#deliverList();
    this.#look();
  }

  /** Lets everything arrive that is under way. */
  finish(): void {
    while (this.#answers.length > 0) this.step('answer arrives', 5);
    if (this.#list === undefined) this.step('list is taken', 0);
    this.step('list arrives', 0);
    while (this.#position! < this.#history.version) this.step('event arrives', 0);
  }

  get stored(): Resource[] {
    return NAMES.flatMap((name) => this.#history.present.get(name) ?? []);
  }

  #answer(resource: Resource | undefined): void {
    if (resource === undefined) return;
    this.#answers.push(() => {
      this.cache.put(resource);
      this.#expectAtLeast(resource);
    });
  }

  #deleteHere(name: string): void {
    const deleted = this.#history.delete(name);
    if (deleted === undefined) return;
    this.#answers.push(() => {
      this.cache.remove(deleted.metadata);
      this.#gone.add(deleted.metadata.uid);
    });
  }

  #deliverEvent(): void {
    const event = this.#position === undefined ? undefined : this.#history.events[this.#position];
    if (event === undefined) return;
    this.#position! += 1;
    if (event.type === 'changed') this.#watch.observer!.onChanged(event.resource);
    else this.#watch.observer!.onDeleted(event.resource);
  }

  #deliverList(): void {
    if (this.#list === undefined) return;
    this.#watch.observer!.onReplaced(this.#list.resources, String(this.#list.version));
    this.#position = this.#list.version;
    this.#list = undefined;
  }

  /** A writer reads what it wrote, or what came after it. */
  #expectAtLeast(written: Resource): void {
    const { name, uid, resourceVersion } = written.metadata;
    const cached = this.cache.get(name);
    const isDeleted = this.#history.events.some(
      ({ type, resource }) => type === 'deleted' && resource.metadata.uid === uid,
    );
    if (cached === undefined) expect(isDeleted).toBe(true);
    else expect(Number(cached.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
  }

  /** One reader looks at all names: none goes back, and no deleted resource returns. */
  #look(): void {
    for (const name of NAMES) {
      const before = this.#seen.get(name);
      const now = this.cache.get(name);
      if (before !== undefined && before.metadata.uid !== now?.metadata.uid) this.#gone.add(before.metadata.uid);
      if (now === undefined) continue;
      expect(this.#gone).not.toContain(now.metadata.uid);
      expect(Number(now.metadata.resourceVersion)).toBeGreaterThanOrEqual(
        Number(before?.metadata.resourceVersion ?? 0),
      );
      this.#seen.set(name, now);
    }
  }
}

describe('ResourceCache, with answers, events and lists in any order', () => {
  it('never goes back, has what was written, and ends as the store is', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 80 }), (steps) => {
        const run = new Run();
        for (const [action, number] of steps) run.step(action, number);
        run.finish();
        expect(run.cache.values()).toEqual(run.stored);
        expect((run.cache as unknown as { tombstones: Map<string, bigint> }).tombstones.size).toBe(0);
      }),
    );
  });
});
