import type { ResourceIdentity } from '../state/known-files.ts';

/** The stored resources that no file describes, until a file appears or they are deleted. */
export class Orphans {
  private readonly since = new Map<string, { readonly identity: ResourceIdentity; readonly at: number }>();

  get isEmpty(): boolean {
    return this.since.size === 0;
  }

  add({ kind, name }: ResourceIdentity): void {
    const key = `${kind}/${name}`;
    if (!this.since.has(key)) this.since.set(key, { identity: { kind, name }, at: performance.now() });
  }

  remove({ kind, name }: ResourceIdentity): void {
    this.since.delete(`${kind}/${name}`);
  }

  /** Removes those that are none any more. @returns those that have been orphans for some time */
  listDue(milliseconds: number, isOrphan: (identity: ResourceIdentity) => boolean): ResourceIdentity[] {
    const now = performance.now();
    const all = [...this.since.values()];
    for (const { identity } of all) if (!isOrphan(identity)) this.remove(identity);
    return [...this.since.values()].filter(({ at }) => now - at >= milliseconds).map(({ identity }) => identity);
  }
}
