import { setTimeout as sleep } from 'node:timers/promises';
import { parseMilliseconds } from '../configuration/config-values.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import type { Cluster } from './cluster.ts';
import { INSTANCE_LABEL } from './objects/cluster-object.ts';
import { getObjectNames } from './object-names.ts';
import { CONTAINER } from './pod-conventions.ts';
import {
  describeProgress,
  findFailure,
  isServing,
  type PodFailure,
  selectPods,
  type WorkloadPods,
} from './pod-state.ts';
import { createPodError } from './start-error.ts';

const POLL_MS = 250;
/** The proxy itself ends after the time limit, and reports the reason. */
const EXTRA_MS = 10_000;
const EXCERPT_LINES = 10;

/** The waiting for the pods of a workload. */
export interface PodWait {
  readonly config: RunConfig;
  readonly instance: string;
  readonly progress: (text: string) => void;
  readonly abort: AbortSignal;
}

/**
 * Waits until the proxy serves clients.
 * @throws WorkloadError with the reason, and the last output
 */
export async function waitForPods(cluster: Cluster, wait: PodWait): Promise<void> {
  const { config, instance, progress, abort } = wait;
  const timeoutMs = parseMilliseconds(config.start_timeout, 60_000);
  const deadline = performance.now() + timeoutMs + EXTRA_MS;
  const isStdio = config.transport === 'stdio';
  for (;;) {
    const pods = selectPods(await cluster.listPods(`${INSTANCE_LABEL}=${instance}`, abort), instance);
    if (isServing(pods)) return;
    const failure = findFailure(pods, isStdio) ?? (await findRefusal(cluster, config, pods));
    if (failure !== undefined) throw createPodError(config, failure, await readExcerpt(cluster, pods, failure));
    const state = describeProgress(pods);
    if (performance.now() > deadline)
      throw new WorkloadError(
        'failed',
        `${config.name} did not answer within ${timeoutMs / 1000} s: ${state}`,
        ['--start-timeout 5m   waits longer, when the cluster needs the time to pull the image'],
        undefined,
        await readExcerpt(cluster, pods, undefined),
      );
    progress(state);
    await sleep(POLL_MS, undefined, { signal: abort }).catch(() => abort.throwIfAborted());
  }
}

/** Waits until a selection has no pod. */
export async function waitForEnd(cluster: Cluster, labelSelector: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while ((await cluster.listPods(labelSelector)).length > 0) {
    if (performance.now() > deadline)
      throw new WorkloadError('failed', `The pods do not end within ${timeoutMs / 1000} s`, ['kubectl get pods']);
    await sleep(POLL_MS);
  }
}

/** Finds the reason why the cluster creates no pod, such as a quota or a policy. */
async function findRefusal(cluster: Cluster, config: RunConfig, pods: WorkloadPods): Promise<PodFailure | undefined> {
  const { server } = getObjectNames(config.name);
  if (pods.server.length > 0) return undefined;
  const [message] = await cluster.listFailures('StatefulSet', server);
  return message === undefined
    ? undefined
    : { pod: `${server}-0`, component: 'server', kind: 'container', reason: message };
}

/** Reads the last lines of the server. */
async function readExcerpt(cluster: Cluster, pods: WorkloadPods, failure: PodFailure | undefined): Promise<string[]> {
  const pod = failure?.component === 'server' ? failure.pod : pods.server[0]?.metadata.name;
  if (pod === undefined || failure?.kind === 'image') return [];
  const query = { container: CONTAINER, tailLines: String(EXCERPT_LINES) };
  const signal = AbortSignal.timeout(5_000);
  const read = async (previous: string) => {
    const parts: Buffer[] = [];
    for await (const chunk of await cluster.openLog(pod, { ...query, previous }, signal)) parts.push(chunk as Buffer);
    return Buffer.concat(parts).toString('utf8');
  };
  const text = (await read('false').catch(() => '')) || (await read('true').catch(() => ''));
  return text.split('\n').filter((line) => line.trim() !== '');
}
