import { isMovingReference } from '../flags/image-reference.ts';
import { listPullAdvice } from '../pulls/pull-advice.ts';
import { getErrorMessage, ImagePullError, WorkloadError } from '../errors/workload-error.ts';
import { createPullHeaders } from '../registry-credentials/credential-headers.ts';
import type { CredentialEnvironment } from '../registry-credentials/credential-files.ts';
import { findCredentials } from '../registry-credentials/find-credentials.ts';
import type { CommandContext, ImageRefresh } from '../runtime/runtime.ts';
import { inspectImage, type LocalImage } from './containers.ts';
import type { Engine } from './engine.ts';
import { pullImage } from './pull-image.ts';

/** Maximum time until a registry answers where a local copy can replace its answer. */
const REFRESH_TIME_LIMIT_MS = 10_000;

/** Gets an image: the local one, else the one of its registry. */
export interface ImageSource {
  readonly engine: Engine;
  readonly environment: CredentialEnvironment;
  readonly context: CommandContext;
}

/**
 * Gets an image, pulling it when it is missing. With `refresh` a moving tag is pulled again, unless
 * the image was built on this machine. The local copy is used when its registry does not answer.
 * @throws WorkloadError (failed) for an image that is missing and cannot be pulled
 */
export async function obtainImage(source: ImageSource, image: string, refresh: ImageRefresh): Promise<LocalImage> {
  const local = await inspectImage(source.engine, image);
  if (local === undefined) return pullMissing(source, image);
  const isCurrent = refresh === 'missing' || !isMovingReference(image) || local.digests.length === 0;
  return isCurrent ? local : pullNewer(source, image, local);
}

async function pullMissing(source: ImageSource, image: string): Promise<LocalImage> {
  const { engine, context } = source;
  try {
    await pull(source, image, context.abort, () => undefined);
  } catch (error) {
    context.abort.throwIfAborted();
    const sentence = `The image ${image} is missing and cannot be pulled: ${getErrorMessage(error)}`;
    if (error instanceof WorkloadError) throw new WorkloadError(error.code, sentence, error.tryNext, error);
    const isPodman = await engine.isPodman().catch(() => false);
    const tryNext = [
      ...(isPodman ? await findOwnImage(engine, image) : []),
      // A name without a path may be meant as a server of the registry.
      ...(/^[\w.-]+$/.test(image) ? [`gatehouse search ${image}   finds servers of the registry`] : []),
      ...listPullAdvice(getErrorMessage(error), image, isPodman ? 'podman' : 'docker'),
    ];
    throw new ImagePullError(sentence, tryNext, error);
  }
  const pulled = await inspectImage(engine, image);
  if (pulled !== undefined) return pulled;
  throw new WorkloadError('failed', `The engine does not have the image ${image} after pulling it`);
}

/**
 * Podman names an image that it builds `localhost/NAME`, and takes a bare name from the Docker Hub.
 */
async function findOwnImage(engine: Engine, image: string): Promise<string[]> {
  const built = await inspectImage(engine, `localhost/${image}`).catch(() => undefined);
  return built === undefined ? [] : [`gatehouse run localhost/${image}   is an image that Podman has built`];
}

async function pullNewer(source: ImageSource, image: string, local: LocalImage): Promise<LocalImage> {
  const { engine, context } = source;
  const slow = new AbortController();
  const timer = setTimeout(
    () => slow.abort(new Error(`its registry did not answer in ${REFRESH_TIME_LIMIT_MS / 1_000} s`)),
    REFRESH_TIME_LIMIT_MS,
  );
  try {
    const abort = AbortSignal.any([context.abort, slow.signal]);
    await pull(source, image, abort, () => clearTimeout(timer));
    return (await inspectImage(engine, image)) ?? local;
  } catch (error) {
    context.abort.throwIfAborted();
    const reason: unknown = slow.signal.aborted ? slow.signal.reason : error;
    context.warn(`the newest ${image} could not be pulled, so the local copy runs: ${getErrorMessage(reason)}`);
    return local;
  } finally {
    clearTimeout(timer);
  }
}

async function pull(
  { engine, environment, context }: ImageSource,
  image: string,
  abort: AbortSignal,
  answered: () => void,
): Promise<void> {
  context.progress(`pulling ${image}`);
  const credentials = await findCredentials(image, { environment, isPodman: await engine.isPodman(), abort });
  const headers = createPullHeaders(credentials);
  await pullImage(engine, image, {
    headers,
    progress: (text) => context.progress(`pulling ${image}: ${text}`),
    answered,
    abort,
  });
}
