import { flagError, WorkloadError } from '../errors/workload-error.ts';

/** The protocol schemes, whose packages become images. */
export const SCHEMES = ['uvx', 'npx', 'go'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** A Python package (PEP 508 name, with extras), installed by uv. */
export interface PythonPackage {
  readonly scheme: 'uvx';
  readonly name: string;
  readonly extras: string;
  readonly version: string | undefined;
}

/** An npm package. The version is a version, a range or a tag. */
export interface NodePackage {
  readonly scheme: 'npx';
  readonly name: string;
  readonly version: string | undefined;
}

/** A Go package: its import path, or its folder. */
export type GoPackage =
  | { readonly scheme: 'go'; readonly name: string; readonly version: string | undefined }
  | { readonly scheme: 'go'; readonly path: string };

/** A package of a protocol scheme. Its texts are safe in a Dockerfile and in an image name. */
export type PackageReference = PythonPackage | NodePackage | GoPackage;

const PYTHON =
  /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(\[[A-Za-z0-9._-]+(?:,[A-Za-z0-9._-]+)*\])?(?:(?:@|==)([A-Za-z0-9.!+_*-]+))?$/;
const NPM = /^((?:@[a-z0-9~][a-z0-9._~-]*\/)?[A-Za-z0-9~][A-Za-z0-9._~-]*)(?:@([A-Za-z0-9._+^~-]+))?$/;
const GO = /^([A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)+(?:\/[A-Za-z0-9._~-]+)*)(?:@([A-Za-z0-9._+-]+))?$/;
const LOCAL = /^(?:\.{1,2}(?:\/|$)|\/)/;
const MAX_LENGTH = 256;

const EXAMPLES: Readonly<Record<Scheme, string>> = {
  uvx: 'uvx://mcp-server-time@2026.10.19',
  npx: 'npx://@modelcontextprotocol/server-everything@2025.9.25',
  go: 'go://github.com/owner/server/cmd/server@v1.2.3 or go://./server',
};

/**
 * Parses the text after `uvx://`, `npx://` or `go://`.
 * @throws WorkloadError (usage) for a text that names no package
 */
export function parsePackageReference(scheme: Scheme, text: string): PackageReference {
  const reference = text.length > MAX_LENGTH || text.includes('\0') ? undefined : match(scheme, text);
  if (reference !== undefined) return reference;
  throw new WorkloadError('usage', `'${scheme}://${text.slice(0, MAX_LENGTH)}' names no package`, [
    `write it as ${EXAMPLES[scheme]}`,
  ]);
}

function match(scheme: Scheme, text: string): PackageReference | undefined {
  if (scheme === 'go' && LOCAL.test(text)) return { scheme, path: text };
  if (scheme === 'uvx') {
    const [, name, extras = '', version] = PYTHON.exec(text) ?? [];
    return name === undefined ? undefined : { scheme, name, extras, version: withoutLatest(version) };
  }
  const [, name, version] = (scheme === 'npx' ? NPM : GO).exec(text) ?? [];
  if (name === undefined || name.split('/').some((part) => part === '.' || part === '..')) return undefined;
  return scheme === 'npx'
    ? { scheme, name, version: withoutLatest(version) }
    : { scheme, name, version: withoutLatest(version) };
}

const withoutLatest = (version: string | undefined): string | undefined => (version === 'latest' ? undefined : version);

/** Writes a reference as it is typed, for messages and labels. */
export function formatPackageReference(reference: PackageReference): string {
  if ('path' in reference) return `go://${reference.path}`;
  const extras = 'extras' in reference ? reference.extras : '';
  const version = reference.version === undefined ? '' : `@${reference.version}`;
  return `${reference.scheme}://${reference.name}${extras}${version}`;
}

/** The name of a package for a workload or an image, before it is made valid. */
export function getPackageName(reference: PackageReference): string {
  const text = 'path' in reference ? reference.path.replace(/^\.{0,2}\/+/, '') : reference.name;
  return text.replace(/^[@.]+/, '').replace(/[/@.]/g, '-');
}

/** Requires a scheme whose builds accept constraints. @throws WorkloadError (usage) */
export function requireConstraints(scheme: Scheme | undefined): void {
  if (scheme === 'uvx') return;
  const what = scheme === undefined ? 'an image that is not built' : `${scheme}:// packages`;
  throw flagError('--build-with', `has no meaning for ${what}`, 'it constrains the dependencies of uvx:// packages');
}
