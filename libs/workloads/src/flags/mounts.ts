import { existsSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { flagError } from '../errors/workload-error.ts';

/** A host path that is mounted into a container. */
export interface Mount {
  /** Absolute path on the host. */
  readonly source: string;
  /** Absolute, normalized path in the container. */
  readonly target: string;
  readonly readOnly: boolean;
}

const FORBIDDEN = /[$&;|`\0]/;

function parseMount(text: string, folder: string): Mount {
  const refuse = (problem: string) => flagError(`--volume ${text}`, problem);
  if (FORBIDDEN.test(text)) throw refuse('contains a forbidden character ($ & ; | ` or NUL)');
  const readOnly = text.endsWith(':ro');
  const parts = (readOnly ? text.slice(0, -3) : text).split(':');
  const [source, target] = parts;
  if (parts.length !== 2 || source === undefined || target === undefined || source === '' || target === '') {
    throw refuse('is not in the form host-path:container-path[:ro]');
  }
  if (!target.startsWith('/')) throw refuse(`has the container path '${target}', which is not absolute`);
  const clean = posix.normalize(target).replace(/(?<=.)\/$/, '');
  if (clean === '/') throw refuse('would replace the root of the container');
  const absolute = resolve(folder, source);
  if (!existsSync(absolute)) throw refuse(`names the host path '${source}', which does not exist`);
  return { source: absolute, target: clean, readOnly };
}

/**
 * Parses `--volume host-path:container-path[:ro]`.
 * @param folder the base of relative host paths
 * @throws WorkloadError (usage) for a bad form, a missing host path, or a container path that is
 * given twice.
 */
export function parseMounts(values: readonly string[], folder: string): Mount[] {
  const mounts = values.map((text) => parseMount(text, folder));
  for (const [index, mount] of mounts.entries()) {
    if (mounts.findIndex((other) => other.target === mount.target) !== index) {
      throw flagError(
        `--volume ${values[index] ?? ''}`,
        `mounts ${mount.target}, which another --volume mounts already`,
      );
    }
  }
  return mounts;
}
