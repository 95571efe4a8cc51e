import type { Resource, ResourceKind } from '../../src/resource.ts';
import {
  type ResourceObserver,
  type ResourcePage,
  type ResourceStore,
  ResourceStoreError,
} from '../../src/resource-store.ts';
import { type Command, VALID_SPECS, type VersionChoice } from './commands.ts';

/** An answer that is a failure. */
export interface Failure {
  readonly error: string;
  /** The first two members of the path of each violation, such as `/spec/routes`. */
  readonly fields: readonly string[];
  /** Whether there can be more violations than the store names. */
  readonly isPartial: boolean;
}

/** The stores of one namespace. */
export type Stores = Readonly<Record<ResourceKind, ResourceStore>>;

const listMembers = ({ violations }: ResourceStoreError): string[] => [
  ...new Set(violations.map(({ field }) => field.split('/').slice(0, 3).join('/'))),
];

/** A resource of a list and the place of the next page. */
interface OpenList {
  readonly options: { readonly limit: number; readonly labelSelector: string };
  readonly token: string | undefined;
}

/** The name of the last resource of a transcript, for each kind. */
const END = 'zz-end';
const DEADLINE_MS = 20_000;
/** The largest number of violations that the file store names. */
const VIOLATION_LIMIT = 20;

/**
 * Performs operations on the stores of one namespace, and writes down the answers and what watches
 * report. Uids, versions and times are replaced, so that transcripts of two stores can be compared.
 */
export class Transcript {
  readonly answers: unknown[] = [];
  readonly events: Record<ResourceKind, unknown[]> = { AIPolicy: [], AIGateway: [] };
  private readonly uids: Record<ResourceKind, string[]> = { AIPolicy: [], AIGateway: [] };
  private readonly versions = new Map<string, string[]>();
  private readonly lists = new Map<ResourceKind, OpenList>();
  private readonly stopping = new AbortController();
  private readonly watching: Promise<void>[] = [];

  constructor(private readonly stores: Stores) {}

  async perform(commands: readonly Command[]): Promise<void> {
    try {
      await Promise.all([this.watch('AIPolicy'), this.watch('AIGateway')]);
      for (const command of commands) this.answers.push(await this.answer(command));
      await Promise.all([this.waitForEnd('AIPolicy'), this.waitForEnd('AIGateway')]);
    } finally {
      this.stopping.abort();
      await Promise.all(this.watching);
    }
  }

  private async answer(command: Command): Promise<unknown> {
    try {
      return await this.send(command);
    } catch (error) {
      if (!(error instanceof ResourceStoreError)) throw error;
      const isPartial = error.violations.length >= VIOLATION_LIMIT;
      return { error: error.code, fields: listMembers(error), isPartial } satisfies Failure;
    }
  }

  private async send(command: Command): Promise<unknown> {
    const store = this.stores[command.kind];
    switch (command.type) {
      case 'get': {
        const resource = await store.get(command.name);
        return resource === undefined ? 'absent' : this.learn(resource);
      }
      case 'create': {
        const { metadata, name, spec } = command;
        return this.learn(await store.create({ metadata: { ...metadata, name }, spec }));
      }
      case 'patch': {
        const { name, patch, subresource } = command;
        const options = { resourceVersion: this.chooseVersion(command), ...(subresource && { subresource }) };
        const before = this.listVersions(command).at(-1);
        const resource = await store.patch(name, patch, options);
        return { ...this.learn(resource), isWritten: resource.metadata.resourceVersion !== before };
      }
      case 'delete':
        await store.delete(command.name, { resourceVersion: this.chooseVersion(command) });
        return 'deleted';
      case 'list':
        return this.readPage(command.kind, { limit: command.limit, labelSelector: command.labelSelector }, undefined);
      case 'continue': {
        const { options, token } = this.lists.get(command.kind) ?? {};
        return options === undefined || token === undefined ? 'no page' : this.readPage(command.kind, options, token);
      }
    }
  }

  private async readPage(
    kind: ResourceKind,
    options: OpenList['options'],
    token: string | undefined,
  ): Promise<unknown> {
    const page: ResourcePage = await this.stores[kind].list({
      ...options,
      ...(token !== undefined && { continue: token }),
    });
    this.lists.set(kind, { options, token: page.continue });
    const { items, remainingItemCount } = page;
    return {
      items: items.map((item) => this.describe(item)),
      hasMore: page.continue !== undefined,
      remainingItemCount,
    };
  }

  private chooseVersion(command: {
    readonly kind: ResourceKind;
    readonly name: string;
    readonly version: VersionChoice;
  }): string {
    const versions = this.listVersions(command);
    if (command.version === 'foreign') return '7';
    return versions.at(command.version === 'last' ? -1 : -2) ?? '7';
  }

  private listVersions({ kind, name }: { readonly kind: ResourceKind; readonly name: string }): string[] {
    const key = `${kind}/${name}`;
    const versions = this.versions.get(key) ?? [];
    this.versions.set(key, versions);
    return versions;
  }

  /** Remembers the version of a resource. @returns its description */
  private learn(resource: Resource): object {
    const versions = this.listVersions({ kind: resource.kind, name: resource.metadata.name });
    if (versions.at(-1) !== resource.metadata.resourceVersion) versions.push(resource.metadata.resourceVersion);
    return this.describe(resource);
  }

  private describe({ apiVersion, kind, metadata, spec, status }: Resource): object {
    const { uid, resourceVersion, creationTimestamp, namespace, ...others } = metadata;
    const uids = this.uids[kind];
    if (!uids.includes(uid)) uids.push(uid);
    const isWellFormed =
      /^[1-9]\d*$/.test(resourceVersion) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(creationTimestamp);
    return {
      apiVersion,
      kind,
      metadata: { ...others, uid: uids.indexOf(uid) },
      spec,
      status,
      isWellFormed,
      hasNamespace: namespace !== '',
    };
  }

  /** Starts a watch, and waits until it follows. */
  private async watch(kind: ResourceKind): Promise<void> {
    const { promise: following, resolve } = Promise.withResolvers<undefined>();
    const events = this.events[kind];
    const observer: ResourceObserver = {
      onReplaced: (resources) => events.push(`replaced ${resources.length}`),
      onChanged: (resource) => events.push({ changed: this.describe(resource) }),
      onDeleted: (resource) => events.push({ deleted: this.describe(resource) }),
      onState: ({ status }) => {
        if (status === 'following') resolve(undefined);
        else events.push(status);
      },
    };
    this.watching.push(this.stores[kind].watch(observer, this.stopping.signal));
    await following;
  }

  /** Waits until the watch of a kind has reported all changes. */
  private async waitForEnd(kind: ResourceKind): Promise<void> {
    await this.stores[kind].create({ metadata: { name: END }, spec: VALID_SPECS[kind] });
    for (const deadline = performance.now() + DEADLINE_MS; !JSON.stringify(this.events[kind].at(-1)).includes(END);) {
      if (performance.now() > deadline) throw new Error(`the watch of ${kind} does not report its end`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
