import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { DEFAULT_MIRROR_URL, getTrustedRoot } from '@sigstore/tuf';
import { WorkloadError } from '../errors/workload-error.ts';

/** Where the root of trust of a Sigstore instance is. */
export interface TrustPlace {
  /** Folder of stored roots. */
  readonly cacheFolder: string;
  /** A file with the root of a private instance, which replaces all others. */
  readonly trustedRootFile: string | undefined;
  /** The TUF repository of the instance; undefined: the public one. */
  readonly repository: string | undefined;
}

/** Maximum time of a refresh. Without it the stored root counts. */
const REFRESH_TIME_LIMIT_MS = 5_000;

/**
 * Loads the root of trust: the certificates and log keys of a Sigstore instance. The one of the
 * public instance is a part of this program, and TUF refreshes it in the cache when its repository
 * can be reached. A refresh that fails is no error.
 * @throws WorkloadError (failed) for a file that cannot be used, and for an unknown instance
 */
export async function loadTrustedRoot({ cacheFolder, trustedRootFile, repository }: TrustPlace): Promise<TrustedRoot> {
  if (trustedRootFile !== undefined) return readRootFile(trustedRootFile);
  const mirrorURL = readMirror(repository);
  const options = { mirrorURL, cachePath: cacheFolder, timeout: REFRESH_TIME_LIMIT_MS, retry: { retries: 0 } };
  try {
    return await getTrustedRoot({ ...options, forceCache: true });
  } catch {
    return readStoredRoot(cacheFolder, mirrorURL);
  }
}

/** Registries write the host name alone. Only roots of instances that the library knows exist. */
function readMirror(repository: string | undefined): string {
  const host = (repository ?? '').replace(/^https:\/\//, '').replace(/\/$/, '');
  if (host === '' || host === new URL(DEFAULT_MIRROR_URL).host) return DEFAULT_MIRROR_URL;
  throw new WorkloadError('failed', `The Sigstore instance ${host} of the registry entry is unknown`, [
    'gatehouse settings set trusted_root FILE   for an instance that you trust',
  ]);
}

/** The library writes its own root there before the first refresh. */
function readStoredRoot(cacheFolder: string, mirrorURL: string): TrustedRoot {
  const folder = join(cacheFolder, encodeURIComponent(new URL(mirrorURL).host));
  try {
    return TrustedRoot.fromJSON(JSON.parse(readFileSync(join(folder, 'targets', 'trusted_root.json'), 'utf8')));
  } catch (error) {
    // A damaged cache is written anew by the next run.
    rmSync(folder, { recursive: true, force: true });
    throw new WorkloadError(
      'failed',
      `The stored trusted root in ${folder} was damaged and is removed now`,
      ['run the command again'],
      error,
    );
  }
}

function readRootFile(path: string): TrustedRoot {
  try {
    const root = TrustedRoot.fromJSON(JSON.parse(readFileSync(path, 'utf8')));
    if (root.certificateAuthorities.length > 0) return root;
    throw new Error('it names no certificate authority');
  } catch (error) {
    throw new WorkloadError(
      'failed',
      `The trusted root ${path} cannot be read: ${(error as Error).message}`,
      ['write it as trusted_root.json of a TUF repository of Sigstore'],
      error,
    );
  }
}
