import type { ServerPackage } from '../document/server-entry.ts';
import { UnsupportedServerError } from '../registry-error.ts';

/** The name of an npm package (package.json documentation, `name`). */
const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
/** The name of a Python project (core metadata, `Name`). */
const PYPI_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
/** One version, no range: versions of npm (semver) and of PyPI (PEP 440) begin with a digit. */
const EXACT_VERSION = /^[0-9][0-9A-Za-z.+!_-]*$/;
/** A version with a placeholder, such as `1.x`, is a range. */
const PLACEHOLDER = /(?:^|\.)[xX*](?:\.|$)/;
/** Characters of image references. The image stage reads the reference in full. */
const IMAGE_REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._/:@-]*$/;

/** The public registries. A package of another registry could be someone else's package there. */
const PUBLIC_REGISTRIES: Readonly<Record<string, readonly string[]>> = {
  npm: ['https://registry.npmjs.org'],
  pypi: ['https://pypi.org'],
};

/** Kinds of packages that can be run, in the order of preference. */
export const SUPPORTED_TYPES = ['oci', 'npm', 'pypi'] as const;

/**
 * The source of a package: an image reference, `npx://name@version` or `uvx://name==version`.
 * @param server name of the entry
 * @param field path of the package in the entry
 * @throws UnsupportedServerError that names the field
 */
export function createPackageSource(server: string, field: string, declared: ServerPackage): string {
  const { registryType, identifier, version } = declared;
  if (registryType === 'oci') return createImageReference(server, field, declared);
  checkRegistry(server, field, declared);
  const isNpm = registryType === 'npm';
  if (!(isNpm ? NPM_NAME : PYPI_NAME).test(identifier))
    throw new UnsupportedServerError(server, `${field}.identifier`, `is not the name of a package of ${registryType}`);
  if (version === undefined)
    throw new UnsupportedServerError(server, `${field}.version`, 'is missing: a package runs with one exact version');
  if (!EXACT_VERSION.test(version) || PLACEHOLDER.test(version))
    throw new UnsupportedServerError(server, `${field}.version`, 'must be one exact version, such as 1.2.3');
  return isNpm ? `npx://${identifier}@${version}` : `uvx://${identifier}==${version}`;
}

function createImageReference(server: string, field: string, { identifier, version }: ServerPackage): string {
  if (!IMAGE_REFERENCE.test(identifier))
    throw new UnsupportedServerError(server, `${field}.identifier`, 'is not an image reference');
  const hasTag = identifier.includes('@') || /:[^/]*$/.test(identifier);
  if (hasTag || version === undefined) return identifier;
  // Entries of older schemas have the tag in `version`.
  if (!/^\w[\w.-]{0,127}$/.test(version))
    throw new UnsupportedServerError(server, `${field}.version`, 'is not the tag of an image');
  return `${identifier}:${version}`;
}

function checkRegistry(server: string, field: string, declared: ServerPackage): void {
  const { registryType, registryBaseUrl, fileSha256 } = declared;
  const allowed = PUBLIC_REGISTRIES[registryType] ?? [];
  if (registryBaseUrl !== undefined && !allowed.includes(registryBaseUrl.replace(/\/$/, '')))
    throw new UnsupportedServerError(server, `${field}.registryBaseUrl`, `must be ${allowed.join(' or ')}`);
  // server.json: a client that gets a hash must not run a file without comparing it.
  if (fileSha256 !== undefined)
    throw new UnsupportedServerError(server, `${field}.fileSha256`, 'cannot be checked when a package is built');
}
