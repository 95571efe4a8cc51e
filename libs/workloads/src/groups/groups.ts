import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@gatehouse/local-files/atomic-file';
import * as z from 'zod/mini';
import { WorkloadError } from '../errors/workload-error.ts';
import { DEFAULT_GROUP, isGroupName, requireGroupName } from '../flags/group-name.ts';

/** The document of a group. Unknown fields are kept. */
const GroupDocument = z.looseObject({
  name: z.string(),
  /** The MCP clients whose configuration lists the workloads of the group. */
  registered_clients: z._default(z.nullable(z.readonly(z.array(z.string()))), []),
});

/** A group of workloads. */
export interface Group {
  readonly name: string;
  /** The ids of its MCP clients, sorted. */
  readonly registered_clients: readonly string[];
}

/**
 * The groups of one home: a file `groups/<name>.json` for each. The group `default` exists without
 * a file. Changes hold a lock between processes.
 */
export class Groups {
  readonly #folder: string;

  /** @param home folder of the home */
  constructor(home: string) {
    this.#folder = join(home, 'groups');
  }

  /** Returns all groups, `default` first, the others sorted by name. */
  list(): Group[] {
    const others = this.#listNames().filter((name) => name !== DEFAULT_GROUP);
    return [DEFAULT_GROUP, ...others.sort()].flatMap((name) => this.find(name) ?? []);
  }

  /** Returns a group; undefined when there is none of that name. */
  find(name: string): Group | undefined {
    const document = this.#read(name);
    if (document === undefined) return name === DEFAULT_GROUP ? { name, registered_clients: [] } : undefined;
    return { name, registered_clients: [...(document.registered_clients ?? [])].sort() };
  }

  /**
   * Returns an existing group, to which something is added.
   * @param typed begins the message, such as `--group`
   * @throws WorkloadError (usage) for an unknown group
   */
  require(name: string, typed = '--group'): Group {
    return this.#require(
      name,
      `${typed} ${quote(name)} is not a group`,
      [`gatehouse group create ${quote(name)}`],
      typed,
    );
  }

  /**
   * Returns an existing group, from which something is read or removed.
   * @throws WorkloadError (usage) for an unknown group
   */
  requirePresent(name: string): Group {
    return this.#require(name, `There is no group ${quote(name)}`, [], '--group');
  }

  #require(name: string, problem: string, tryNext: readonly string[], typed: string): Group {
    requireGroupName(typed, name);
    const group = this.find(name);
    if (group !== undefined) return group;
    throw new WorkloadError('usage', problem, [...tryNext, 'gatehouse group list   shows the groups']);
  }

  /**
   * Creates a group. One of several concurrent callers creates it.
   * @throws WorkloadError (conflict) for an existing group
   */
  async create(name: string): Promise<Group> {
    requireGroupName('The name', name);
    return this.#withLock(() => {
      if (this.find(name) !== undefined) throw new WorkloadError('conflict', `The group '${name}' already exists`);
      this.#write({ name, registered_clients: [] });
      return { name, registered_clients: [] };
    });
  }

  /**
   * Returns a group that can be removed.
   * @throws WorkloadError (usage) for an unknown group and for `default`
   */
  requireRemovable(name: string): Group {
    if (name === DEFAULT_GROUP)
      throw new WorkloadError('usage', `The group '${name}' cannot be removed: workloads without --group belong to it`);
    return this.requirePresent(name);
  }

  /**
   * Removes a group after `empty` has removed or moved its workloads. No workload can be added to
   * the group meanwhile.
   */
  async remove(name: string, empty: () => Promise<void>): Promise<void> {
    await this.#withLock(async () => {
      this.requireRemovable(name);
      await empty();
      rmSync(this.#getPath(name), { force: true });
    });
  }

  /**
   * Runs `work` while the group cannot be removed.
   * @throws WorkloadError (usage) for an unknown group
   */
  async whileExists<T>(name: string, work: () => T): Promise<T> {
    if (name === DEFAULT_GROUP) return work();
    return this.#withLock(() => {
      this.require(name);
      return work();
    });
  }

  /**
   * Changes the MCP clients of a group.
   * @param change receives the present clients and returns the new ones
   * @throws WorkloadError (usage) for an unknown group
   */
  async changeClients(name: string, change: (clients: readonly string[]) => readonly string[]): Promise<Group> {
    return this.#withLock(() => {
      const { registered_clients: present } = this.require(name);
      const registered_clients = [...new Set(change(present))].sort();
      this.#write({ ...this.#read(name), name, registered_clients });
      return { name, registered_clients };
    });
  }

  async #withLock<T>(work: () => T | Promise<T>): Promise<T> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const { withProcessLock } = await import('@gatehouse/local-files/process-lock');
    return withProcessLock(join(this.#folder, '.lock'), async () => work());
  }

  #getPath(name: string): string {
    return join(this.#folder, `${name}.json`);
  }

  #listNames(): string[] {
    try {
      const files = readdirSync(this.#folder).filter((file) => file.endsWith('.json'));
      return files.map((file) => file.slice(0, -'.json'.length)).filter(isGroupName);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  #read(name: string): z.output<typeof GroupDocument> | undefined {
    if (!isGroupName(name)) return undefined;
    let text: string;
    try {
      text = readFileSync(this.#getPath(name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const document = GroupDocument.safeParse(parseJson(text));
    if (document.success && document.data.name === name) return document.data;
    throw new WorkloadError('failed', `The file of the group '${name}' is damaged: ${this.#getPath(name)}`, [
      `write {"name": "${name}", "registered_clients": []} into it, or remove it`,
    ]);
  }

  #write(document: z.output<typeof GroupDocument>): void {
    replaceFile(this.#getPath(document.name), `${JSON.stringify(document, null, 2)}\n`);
  }
}

/** A name as a shell takes it. */
const quote = (name: string): string => (name.includes(' ') ? `'${name}'` : name);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
