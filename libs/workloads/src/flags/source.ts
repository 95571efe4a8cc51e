import { resolve } from 'node:path';
import { WorkloadError } from '../errors/workload-error.ts';
import { isImageReference } from './image-reference.ts';
import { type PackageReference, parsePackageReference, SCHEMES } from './package-reference.ts';

/** The parsed positional argument of `run`. */
export type Source =
  | { readonly kind: 'image'; readonly image: string }
  | { readonly kind: 'package'; readonly reference: PackageReference }
  | { readonly kind: 'remote'; readonly url: URL };

/**
 * Classifies the argument of `run`: an http(s) URL with a host, a package scheme (lower case), else
 * a container image.
 * @throws WorkloadError (usage) for any other text.
 */
export function classifySource(argument: string): Source {
  const url = /^https?:\/\//i.test(argument) ? URL.parse(argument) : null;
  if (url && url.hostname !== '') {
    if (url.username !== '' || url.password !== '')
      throw new WorkloadError('usage', 'The URL of a remote server cannot have a user name or a password', [
        '--remote-forward-headers-secret Authorization=SECRET   sends a secret',
      ]);
    url.hash = '';
    return { kind: 'remote', url };
  }
  for (const scheme of SCHEMES) {
    if (argument.startsWith(`${scheme}://`))
      return { kind: 'package', reference: parsePackageReference(scheme, argument.slice(scheme.length + 3)) };
  }
  // The query of a mistyped URL can be a key.
  const shown = argument.replace(/\?.*$/s, '?…');
  const foreign = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(argument)?.[1];
  if (foreign !== undefined) {
    throw new WorkloadError('usage', `'${shown}' has the scheme ${foreign}://, which run does not support`, [
      'give a container image, for example ghcr.io/owner/server:1.0',
    ]);
  }
  if (!isImageReference(argument)) {
    throw new WorkloadError('usage', `'${shown}' is not a valid container image reference`, [
      'write it as [host[:port]/]name[:tag][@digest], the name in lower case',
    ]);
  }
  return { kind: 'image', image: argument };
}

/** Makes the folder of a Go package absolute. @param folder against which it is relative */
export function resolveFolder(source: Source, folder: string): Source {
  if (source.kind !== 'package' || !('path' in source.reference)) return source;
  return { kind: 'package', reference: { scheme: 'go', path: resolve(folder, source.reference.path) } };
}
