import { RegistrySource } from '@gatehouse/mcp-registry/sources/registry-source';
import { CommandFailedError } from '../../errors/cli-error.ts';
import { readSettings } from '../settings-file.ts';

/** The section of the settings with the place of the registry. */
export const REGISTRY_SECTION = 'registry';

/** The place of the registry of a home: the embedded one unless `registry set` chose another. */
export function readRegistrySource(home: string): RegistrySource {
  const section = readSettings(home)[REGISTRY_SECTION];
  if (section === undefined) return { kind: 'embedded' };
  const source = RegistrySource.safeParse(section);
  if (source.success) return source.data;
  throw new CommandFailedError(
    `The setting '${REGISTRY_SECTION}' is damaged: ${source.error.issues[0]?.message ?? ''}`,
    ['gatehouse registry set --reset   returns to the embedded registry'],
  );
}
