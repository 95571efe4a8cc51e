import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import { createPullHeaders } from '../registry-credentials/credential-headers.ts';
import { findCredentials } from '../registry-credentials/find-credentials.ts';
import type { ImageSource } from './obtain-image.ts';
import { readJsonLines } from './json-lines.ts';

/**
 * Pushes an image of the engine to a registry, with the credentials of the user. Layers that the
 * registry has are not sent again.
 * @param target the name in the registry, with its tag
 * @throws WorkloadError (failed)
 */
export async function publishImage(source: ImageSource, image: string, target: string): Promise<void> {
  const { engine, environment, context } = source;
  const { progress, abort } = context;
  const colon = target.lastIndexOf(':');
  const [repository, tag] = [target.slice(0, colon), target.slice(colon + 1)];
  progress(`pushing ${target}`);
  try {
    const query = new URLSearchParams({ repo: repository, tag });
    await engine.call('POST', `/images/${encodeURI(image)}/tag?${query.toString()}`, undefined, abort);
    const credentials = await findCredentials(target, { environment, isPodman: await engine.isPodman(), abort });
    // The engine requires the header also without credentials.
    const headers = { 'x-registry-auth': Buffer.from('{}').toString('base64url'), ...createPullHeaders(credentials) };
    const path = `/images/${encodeURI(repository)}/push?tag=${encodeURIComponent(tag)}`;
    const response = await engine.stream('POST', path, { headers, abort });
    for await (const { error } of readJsonLines<{ error?: string }>(response))
      if (error !== undefined) throw new Error(error);
  } catch (error) {
    abort.throwIfAborted();
    throw new WorkloadError(
      'failed',
      `The image ${target} could not be pushed: ${getErrorMessage(error)}`,
      ['docker login   when the registry needs a sign-in'],
      error,
    );
  }
}
