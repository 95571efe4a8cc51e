import { existsSync } from 'node:fs';
import { getClientFile, getInstallMarker, type Machine } from '@gatehouse/mcp-clients/clients/client-paths';
import { MCP_CLIENTS } from '@gatehouse/mcp-clients/clients/client-table';
import type { McpClient } from '@gatehouse/mcp-clients/clients/mcp-client';
import {
  ClientConfigurations,
  type EntryChange,
  type WantedEntry,
} from '@gatehouse/mcp-clients/entries/client-configurations';
import type { Groups } from '@gatehouse/workloads/groups/groups';
import { isClusterUrl } from '@gatehouse/workloads/flags/cluster-address';
import type { WorkloadState } from '@gatehouse/workloads/state/state';

/** A client as `client status` shows it. */
export interface ClientStatus {
  readonly client: string;
  /** The name of the product. */
  readonly label: string;
  readonly installed: boolean;
  /** The groups whose workloads it lists. */
  readonly groups: readonly string[];
  readonly file: string;
  /** The workloads that Gatehouse has added to the file. */
  readonly workloads: readonly string[];
}

/** The statuses in which an entry stays as it is: the workload is about to run or to stop. */
const UNDECIDED: readonly string[] = ['starting', 'stopping', 'unhealthy'];

/** The MCP clients of a user, and the workloads that they list. */
export class WorkloadClients {
  private readonly configurations: ClientConfigurations;

  /**
   * @param home folder of the home
   * @param lockFolder folder that all homes of the user share
   */
  constructor(
    home: string,
    lockFolder: string,
    private readonly groups: Groups,
    private readonly machine: Machine,
  ) {
    this.configurations = new ClientConfigurations({ home, lockFolder, machine });
  }

  /** Whether any client is registered or lists a workload. Reads small files only. */
  isUsed(): boolean {
    return (
      this.groups.list().some((group) => group.registered_clients.length > 0) ||
      Object.keys(this.configurations.list()).length > 0
    );
  }

  /**
   * Makes the clients list the running workloads of their groups.
   * @param states the states of all workloads, or of those in `names`
   * @param names the workloads whose entries may change; default: all
   */
  async update(states: readonly WorkloadState[], names?: readonly string[]): Promise<EntryChange[]> {
    const scope = names === undefined ? undefined : new Set(names);
    const undecided = new Set(states.filter(({ status }) => UNDECIDED.includes(status)).map(({ name }) => name));
    const groups = this.groups.list();
    const wanted = states.flatMap(({ name, url, group, status }): WantedEntry[] => {
      // Clients of this machine do not reach the Services of a cluster.
      if (status !== 'running' || url === '' || isClusterUrl(url)) return [];
      const registered = groups.find((one) => one.name === group)?.registered_clients ?? [];
      return MCP_CLIENTS.filter(({ id }) => registered.includes(id)).map((client) => ({ client, name, url }));
    });
    return this.configurations.sync(wanted, (name) => !undecided.has(name) && (scope === undefined || scope.has(name)));
  }

  /** Returns the clients that list a workload, sorted. */
  listClientsOf(name: string): string[] {
    return Object.values(this.configurations.list())
      .filter(({ entries }) => entries[name] !== undefined && entries[name].status !== 'foreign')
      .map(({ client }) => client)
      .sort();
  }

  /** @throws WorkloadError (usage) for an unknown group; no client is registered then */
  async register(clients: readonly McpClient[], groups: readonly string[]): Promise<void> {
    for (const group of groups) this.groups.require(group);
    const ids = clients.map(({ id }) => id);
    for (const group of groups) await this.groups.changeClients(group, (present) => [...present, ...ids]);
  }

  /**
   * Removes the registration of clients.
   * @param groups default: all groups
   * @returns for each client the groups that had it
   */
  async unregister(
    clients: readonly McpClient[],
    groups: readonly string[] | undefined,
  ): Promise<Map<string, readonly string[]>> {
    for (const group of groups ?? []) this.groups.requirePresent(group);
    const ids = clients.map(({ id }) => id);
    const removed = new Map<string, string[]>(ids.map((id) => [id, []]));
    for (const { name, registered_clients: registered } of this.groups.list()) {
      if (groups?.includes(name) === false || !registered.some((id) => removed.has(id))) continue;
      await this.groups.changeClients(name, (present) => {
        for (const id of present) removed.get(id)?.push(name);
        return present.filter((id) => !removed.has(id));
      });
    }
    return removed;
  }

  /** Describes all known clients. */
  list(): ClientStatus[] {
    const groups = this.groups.list();
    const records = this.configurations.list();
    return MCP_CLIENTS.map((client) => {
      const file = getClientFile(client, this.machine);
      const entries = Object.entries(records[file]?.entries ?? {});
      return {
        client: client.id,
        label: client.label,
        installed: existsSync(getInstallMarker(client, this.machine)),
        groups: groups.filter(({ registered_clients: ids }) => ids.includes(client.id)).map(({ name }) => name),
        file,
        workloads: entries.filter(([, { status }]) => status !== 'foreign').map(([name]) => name),
      };
    });
  }
}
