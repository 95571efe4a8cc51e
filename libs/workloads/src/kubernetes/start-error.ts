import { listPullAdvice } from '../pulls/pull-advice.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import type { PodFailure } from './pod-state.ts';
import type { RunConfig } from '../configuration/run-config.ts';

/** The image of a server has no user that the cluster accepts. */
export class RootImageError extends WorkloadError {}

/** Converts the failure of a pod to an error that names flags and next steps. */
export function createPodError(config: RunConfig, failure: PodFailure, excerpt: readonly string[]): WorkloadError {
  const { name, image } = config;
  const { component, kind, reason, pod } = failure;
  const create = (text: string, tryNext: readonly string[]) =>
    new WorkloadError('failed', text, tryNext, undefined, excerpt);
  if (kind === 'root') return new RootImageError('failed', `The user of the image ${image} is root or has no number`);
  if (kind === 'image' && component === 'proxy')
    return create(`The cluster cannot pull the image of the proxy: ${reason}`, [
      'gatehouse settings set kubernetes.proxy_image IMAGE   names an image that the cluster can pull',
    ]);
  if (kind === 'image')
    return create(`The cluster cannot pull the image ${image}: ${reason}`, listPullAdvice(reason, image, 'kubernetes'));
  // The files and ports of an image can belong to its own user.
  const user =
    component === 'server' && config.kubernetes?.needs_user === true
      ? ['build the image with a USER that is a number other than 0; here it runs as the user 10001 instead']
      : [];
  if (kind === 'container') return create(`The pod ${pod} of ${name} does not start: ${reason}`, user);
  return create(`${name} did not start: ${reason}`, [
    ...user,
    config.transport === 'stdio'
      ? '--transport streamable-http   when the server listens on a port'
      : '--transport stdio   when the server speaks on standard streams',
  ]);
}
