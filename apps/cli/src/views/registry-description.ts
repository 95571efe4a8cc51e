import type { Registry } from '@gatehouse/mcp-registry/registry/registry';
import { createServerDetails } from './registry-view.ts';

/** A description for programs, and the one for a person. */
interface Description {
  readonly value: object;
  readonly details: object;
}

/** Describes a server. @throws RegistryError */
export async function describeServer(registry: Registry, name: string): Promise<Description> {
  const entry = await registry.find(name);
  return { value: entry, details: createServerDetails(entry) };
}

/** Describes the registry itself. @throws RegistryError */
export async function describeRegistry(registry: Registry): Promise<Description> {
  const { version, lastUpdated, servers, groups, problems } = await registry.list();
  const value = {
    ...{ registry: registry.location, version, last_updated: lastUpdated, servers: servers.length },
    ...{ groups: groups.map(({ name }) => name), left_out: problems.length },
  };
  const rows = groups.map(({ name, description, servers: members }) => ({
    ...{ name, servers: members.length, description },
  }));
  return { value, details: { ...value, groups: rows } };
}
