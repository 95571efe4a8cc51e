import { WorkloadError } from '../errors/workload-error.ts';
import { isImageReference } from './image-reference.ts';

/** The protocol schemes that name a package instead of an image. */
const SCHEMES = ['uvx', 'npx', 'go'] as const;

/** The parsed positional argument of `run`. */
export type Source =
  | { readonly kind: 'image'; readonly image: string }
  | { readonly kind: 'package'; readonly scheme: (typeof SCHEMES)[number]; readonly name: string }
  | { readonly kind: 'remote'; readonly url: URL };

/**
 * Classifies the argument of `run`: an http(s) URL with a host, a package scheme (lower case), else
 * a container image.
 * @throws WorkloadError (usage) for any other text.
 */
export function classifySource(argument: string): Source {
  const url = /^https?:\/\//i.test(argument) ? URL.parse(argument) : null;
  if (url && url.hostname !== '') return { kind: 'remote', url };
  for (const scheme of SCHEMES) {
    if (argument.startsWith(`${scheme}://`))
      return { kind: 'package', scheme, name: argument.slice(scheme.length + 3) };
  }
  const foreign = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(argument)?.[1];
  if (foreign !== undefined) {
    throw new WorkloadError('usage', `'${argument}' has the scheme ${foreign}://, which run does not support`, [
      'give a container image, for example ghcr.io/owner/server:1.0',
    ]);
  }
  if (!isImageReference(argument)) {
    throw new WorkloadError('usage', `'${argument}' is not a valid container image reference`, [
      'write it as [host[:port]/]name[:tag][@digest], the name in lower case',
    ]);
  }
  return { kind: 'image', image: argument };
}

/**
 * Returns the image of a source.
 * @throws WorkloadError (usage) for a source that this version cannot run.
 */
export function requireImage(source: Source): string {
  if (source.kind === 'image') return source.image;
  const what = source.kind === 'remote' ? 'a remote server (URL)' : `a package (${source.scheme}://) without an image`;
  throw new WorkloadError('usage', `This version of gatehouse runs container images; it cannot run ${what} yet`, [
    'give the image of the server, for example gatehouse run ghcr.io/owner/server:1.0',
  ]);
}
