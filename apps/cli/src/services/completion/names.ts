import type { CliConfig } from '../../config/config.ts';
import type { NameKind } from './complete.ts';

/** Lists the names of a kind without a request to an engine or a network. */
export async function listNames(kind: NameKind, config: CliConfig): Promise<readonly string[]> {
  const { home, defaultHome, engine } = config;
  if (kind === 'setting') {
    const { SETTINGS } = await import('../settings/definitions.ts');
    return SETTINGS.map(({ key }) => key);
  }
  if (kind === 'server') {
    const { openSelectedRegistry } = await import('../registry/selected-registry.ts');
    const { readRegistrySource } = await import('../settings/registry-source.ts');
    const { kind: place } = readRegistrySource(home);
    if (place !== 'embedded' && place !== 'file') return [];
    const registry = await openSelectedRegistry(home, () => undefined);
    // A server can be named by the part after the slash.
    return (await registry.list()).servers.flatMap(({ name }) => [name.slice(name.indexOf('/') + 1), name]);
  }
  const { Workloads } = await import('@gatehouse/workloads/lifecycle');
  const workloads = new Workloads(home, defaultHome, engine);
  return kind === 'workload' ? workloads.listNames() : workloads.groups.list().map(({ name }) => name);
}
