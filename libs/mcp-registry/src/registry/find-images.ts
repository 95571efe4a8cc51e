import type { ServerEntry, ServerPackage } from '../document/server-entry.ts';

/** The entries that have an image of a repository, in any version, each with this package alone. */
export function findImages(servers: readonly ServerEntry[], repository: string): ServerEntry[] {
  const wanted = normalizeRepository(repository);
  const isWanted = ({ registryType, identifier }: ServerPackage) =>
    registryType === 'oci' && normalizeRepository(withoutVersion(identifier)) === wanted;
  return servers.flatMap((entry) => {
    const declared = entry.packages?.find(isWanted);
    return declared === undefined ? [] : [{ ...entry, packages: [declared] }];
  });
}

/** An image reference without tag and digest. */
const withoutVersion = (identifier: string): string => identifier.replace(/@.*$/, '').replace(/:[^/]*$/, '');

/** Docker Hub is the host of a repository without one, and `library` holds its own images. */
function normalizeRepository(repository: string): string {
  const name = repository.replace(/^(?:index\.)?docker\.io\//, '').replace(/^library\//, '');
  return name.toLowerCase();
}
