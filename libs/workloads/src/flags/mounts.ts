import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { flagError } from '../errors/workload-error.ts';
import type { Mount } from '../mounts/mount.ts';
import { explain, formatMount, parseMountDeclaration, requireFewMounts } from '../mounts/mount-declaration.ts';

/**
 * Parses the text of `--volume`, host-path:container-path[:ro]. The host path stays as it is.
 * @throws WorkloadError (usage) for a bad form
 */
export function parseVolume(text: string): Mount {
  const refuse = (problem: string) => flagError(`--volume ${text}`, problem);
  const option = /^[^:]+:\/[^:]*:([a-z,]+)$/i.exec(text)?.[1];
  if (option !== undefined && option !== 'ro')
    throw refuse(`has the option ${option}; a mount is writable without an option, and read-only with :ro`);
  const readOnly = text.endsWith(':ro');
  const declaration = explain(() => parseMountDeclaration(readOnly ? text.slice(0, -3) : text), refuse);
  if (declaration.kind === 'resource') throw refuse('names a volume of the engine; give a path of this machine');
  const { source, target } = declaration;
  if (target === undefined) throw refuse('is not in the form host-path:container-path[:ro]');
  return { source, target, readOnly };
}

/**
 * Parses `--volume host-path:container-path[:ro]`.
 * @param folder the base of relative host paths
 * @throws WorkloadError (usage) for a bad form, a missing host path, or a container path that is
 * given twice.
 */
export function parseMounts(values: readonly string[], folder: string): Mount[] {
  explain(
    () => requireFewMounts(values),
    (problem) => flagError('--volume', problem),
  );
  const targets = new Set<string>();
  return values.map((text) => {
    const mount = resolveSource(parseVolume(text), text, folder);
    if (targets.has(mount.target))
      throw flagError(`--volume ${text}`, `mounts ${mount.target}, which another --volume mounts already`);
    targets.add(mount.target);
    return mount;
  });
}

function resolveSource(mount: Mount, text: string, folder: string): Mount {
  const refuse = (problem: string) => flagError(`--volume ${text}`, problem);
  const absolute = { ...mount, source: resolve(folder, mount.source) };
  if (!existsSync(absolute.source)) throw refuse(`names the host path '${mount.source}', which does not exist`);
  explain(() => formatMount(absolute), refuse);
  return absolute;
}
