import { WorkloadFailure } from './failure.ts';
import { isImageReference } from './image-reference.ts';

/** The protocol schemes that name a package instead of an image. */
const SCHEMES = ['uvx', 'npx', 'go'] as const;

/** What the positional argument of `run` means. */
export type Source =
  | { readonly kind: 'image'; readonly image: string }
  | { readonly kind: 'package'; readonly scheme: (typeof SCHEMES)[number]; readonly name: string }
  | { readonly kind: 'remote'; readonly url: URL };

/**
 * Tells which of the ways to run the argument selects: an http(s) URL with a host, a package scheme
 * (exact, lower case), else a container image.
 * @throws WorkloadFailure (usage) when it is none of them.
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
    throw new WorkloadFailure('usage', `'${argument}' has the scheme ${foreign}://, which is none that can be run`, [
      'give a container image, for example ghcr.io/owner/server:1.0',
    ]);
  }
  if (!isImageReference(argument)) {
    throw new WorkloadFailure('usage', `'${argument}' is not a valid container image reference`, [
      'write it as [host[:port]/]name[:tag][@digest], the name in lower case',
    ]);
  }
  return { kind: 'image', image: argument };
}

/**
 * The image of a source.
 * @throws WorkloadFailure (usage) for a source that this version cannot run.
 */
export function requireImage(source: Source): string {
  if (source.kind === 'image') return source.image;
  const what =
    source.kind === 'remote' ? 'a remote server (URL)' : `a package (${source.scheme}://) without an image of its own`;
  throw new WorkloadFailure('usage', `This version of gatehouse runs container images; it cannot run ${what} yet`, [
    'give the image that holds the server, for example gatehouse run ghcr.io/owner/server:1.0',
  ]);
}
