import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewResource, Resource, ResourceKind } from '../resource.ts';
import type { WatchState } from '../resource-store.ts';
import { FileResourceStore } from './file-resource-store.ts';
import { ResourceFolder } from './folder/resource-folder.ts';

/** The namespace of the resources of the tests. */
export const NAMESPACE = 'gatehouse';

/** A spec of an AIPolicy for the principals of one group. */
export const createSpec = (group: string, more: object = {}) => ({
  gatewayRef: { name: 'local' },
  principalMatchers: [{ claims: { groups: group } }],
  ...more,
});

export const createPolicy = (name: string, more: object = {}): NewResource => ({
  metadata: { name },
  spec: createSpec('developers', more),
});

/** The text of a file that a person wrote. */
export const writePolicy = (name: string, description: string): string =>
  `# by hand\napiVersion: gatehouse.dev/v1alpha1\nkind: AIPolicy\nmetadata:\n  name: ${name}\nspec:\n  gatewayRef: { name: local }\n  description: ${description}\n  principalMatchers:\n    - claims: { groups: developers }\n`;

/** The reports of a watch, as short texts such as `changed a 2`. */
export class RecordedWatch {
  readonly events: string[] = [];
  readonly versions: bigint[] = [];
  state: WatchState | undefined;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(store: FileResourceStore) {
    this.running = store.watch(
      {
        onReplaced: (resources) => this.events.push(`replaced ${resources.map(describe).join(', ')}`.trim()),
        onChanged: (resource) => this.record('changed', resource),
        onDeleted: (resource) => this.record('deleted', resource),
        onState: (state) => (this.state = state),
      },
      this.stopping.signal,
    );
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private record(type: string, resource: Resource): void {
    this.events.push(`${type} ${describe(resource)}`);
    this.versions.push(BigInt(resource.metadata.resourceVersion));
  }
}

const describe = ({ metadata }: Resource): string => `${metadata.name} ${metadata.generation}`;

/** A folder with its stores. Each `open` is another process as far as the folder is concerned. */
export class TestFolder {
  readonly path: string;
  private readonly open: ResourceFolder[] = [];
  private readonly watches: RecordedWatch[] = [];

  constructor(path = mkdtempSync(join(tmpdir(), 'gatehouse-resources-'))) {
    this.path = path;
  }

  openStore(kind: ResourceKind = 'AIPolicy', now?: () => number): FileResourceStore {
    const folder = new ResourceFolder({ path: this.path, namespace: NAMESPACE, ...(now && { now }) });
    this.open.push(folder);
    return new FileResourceStore(folder, kind);
  }

  watch(store: FileResourceStore): RecordedWatch {
    const watch = new RecordedWatch(store);
    this.watches.push(watch);
    return watch;
  }

  read(file: string): string {
    return readFileSync(join(this.path, file), 'utf8');
  }

  write(file: string, text: string | Uint8Array): void {
    writeFileSync(join(this.path, file), text);
  }

  /** Saves a file as many editors do: a new file replaces the old one. */
  saveByRename(file: string, text: string): void {
    this.write(`.${file}.swp`, text);
    this.rename(`.${file}.swp`, file);
  }

  rename(from: string, to: string): void {
    renameSync(join(this.path, from), join(this.path, to));
  }

  remove(file: string): void {
    rmSync(join(this.path, file), { recursive: true });
  }

  async closeStores(): Promise<void> {
    await Promise.all(this.watches.splice(0).map((watch) => watch.stop()));
    await Promise.all(this.open.splice(0).map((folder) => folder.close()));
  }

  async close(): Promise<void> {
    await this.closeStores();
    rmSync(this.path, { recursive: true, force: true });
  }
}
