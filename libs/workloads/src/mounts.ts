import { existsSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { badFlag } from './failure.ts';

/** A host path that a container sees. */
export interface Mount {
  /** Absolute path on the host. */
  readonly source: string;
  /** Absolute, normalised path in the container. */
  readonly target: string;
  readonly readOnly: boolean;
}

const FORBIDDEN = /[$&;|`\0]/;

function parseMount(text: string, folder: string): Mount {
  const refuse = (why: string) => badFlag(`--volume ${text}`, why);
  if (FORBIDDEN.test(text)) throw refuse('holds a character that is not allowed in a path here ($ & ; | ` or NUL)');
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
 * Reads `--volume host-path:container-path[:ro]`.
 * @param folder what relative host paths are relative to
 * @throws WorkloadFailure (usage) that names the volume: bad form, missing host path, or a
 * container path given twice.
 */
export function parseMounts(values: readonly string[], folder: string): Mount[] {
  const mounts = values.map((text) => parseMount(text, folder));
  for (const [index, mount] of mounts.entries()) {
    if (mounts.findIndex((other) => other.target === mount.target) !== index) {
      throw badFlag(`--volume ${values[index] ?? ''}`, `mounts ${mount.target}, which another --volume mounts already`);
    }
  }
  return mounts;
}
