import { posix } from 'node:path';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { WorkloadError } from '../errors/workload-error.ts';
import type { Mount } from './mount.ts';

/**
 * The parsed text of a mount: a path, whose target can be left out, or a resource of an engine,
 * such as `volume://name`.
 */
export type MountDeclaration =
  | { readonly kind: 'path'; readonly source: string; readonly target: string | undefined }
  | { readonly kind: 'resource'; readonly uri: string };

/** The text is not a mount. Its message continues a sentence about the text. */
class MountSyntaxError extends GatehouseError {
  override readonly code = 'mount_syntax';
}

const FORBIDDEN = /[$&;|`\0]/;
const RESOURCE = /^[a-zA-Z][\w-]*:\/\//;
const DRIVE = /^[a-zA-Z]:[\\/]/;
/** Folders of the kernel, which a mount would replace. */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev'];

/**
 * Parses `path`, `host:container`, `scheme://resource:container`, and the first two with a Windows
 * path such as `C:\x` on the host.
 * @throws MountSyntaxError
 */
export function parseMountDeclaration(text: string): MountDeclaration {
  if (FORBIDDEN.test(text)) throw new MountSyntaxError('contains a forbidden character ($ & ; | ` or NUL)');
  const [scheme = ''] = RESOURCE.exec(text) ?? [];
  const drive = DRIVE.test(text) ? text.slice(0, 2) : '';
  const [first = '', target, ...more] = text.slice(scheme.length + drive.length).split(':');
  const source = `${scheme}${drive}${first}`;
  if (first === '' || target === '' || more.length > 0)
    throw new MountSyntaxError(
      more.length > 0 && DRIVE.test(`${target ?? ''}:${more[0] ?? ''}`)
        ? 'has a Windows path as the container path'
        : 'is not in the form host-path:container-path, where no path contains a colon',
    );
  if (scheme !== '') {
    if (target === undefined) throw new MountSyntaxError('names a resource without a container path');
    cleanTarget(target);
    return { kind: 'resource', uri: source };
  }
  return { kind: 'path', source, target: target === undefined ? undefined : cleanTarget(target) };
}

/** Normalizes a container path. @throws MountSyntaxError */
export function cleanTarget(target: string): string {
  if (!target.startsWith('/')) throw new MountSyntaxError(`has the container path '${target}', which is not absolute`);
  const clean = posix.normalize(target).replace(/(?<=.)\/$/, '');
  if (clean === '/') throw new MountSyntaxError('would replace the root of the container');
  const kernel = KERNEL_FOLDERS.find((folder) => clean === folder || clean.startsWith(`${folder}/`));
  if (kernel !== undefined) throw new MountSyntaxError(`would replace a part of ${kernel} of the container`);
  return clean;
}

/**
 * Formats a mount as the configuration stores it: `host:container[:ro]`.
 * @throws MountSyntaxError for a host path that this form cannot express
 */
export function formatMount({ source, target, readOnly }: Mount): string {
  const text = `${source}:${target}`;
  try {
    const parsed = parseMountDeclaration(text);
    if (parsed.kind === 'path' && parsed.source === source) return `${text}${readOnly ? ':ro' : ''}`;
  } catch (error) {
    if (!(error instanceof MountSyntaxError)) throw error;
  }
  throw new MountSyntaxError(
    `names the host path '${source}'; a path with a colon or one of $ & ; | \` cannot be mounted`,
  );
}

/** Each mount is compared with all sensitive paths, and costs the engine a mount of the kernel. */
const MAX_MOUNTS = 500;

/** Requires a number of mounts that a container can have. @throws MountSyntaxError */
export function requireFewMounts(declarations: readonly string[]): void {
  if (declarations.length > MAX_MOUNTS)
    throw new MountSyntaxError(`has ${declarations.length} mounts; a server can have ${MAX_MOUNTS}`);
}

/** Runs a parser, and gives its error the name of the text. */
export function explain<T>(parse: () => T, toError: (problem: string) => WorkloadError): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof MountSyntaxError) throw toError(error.message);
    throw error;
  }
}
