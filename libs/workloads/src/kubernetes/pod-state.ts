import type { ReportedState } from '../runtime/runtime.ts';
import { COMPONENT_LABEL, type Component, INSTANCE_LABEL, WORKLOAD_LABEL } from './objects/cluster-object.ts';

/** The read members of a pod. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

/** The read members of the state of a container. */
interface ContainerStatus {
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface ContainerState {
  readonly running?: object;
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: { readonly exitCode: number; readonly reason?: string; readonly message?: string };
}

/** The pods of one creation of a workload. */
export interface WorkloadPods {
  readonly server: readonly Pod[];
  readonly proxy: readonly Pod[];
}

/** The failure of a start that waiting does not cure. */
export interface PodFailure {
  readonly pod: string;
  readonly component: Component;
  readonly kind: 'image' | 'root' | 'container' | 'ended';
  readonly reason: string;
}

const IMAGE_REASONS = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];
const CONTAINER_REASONS = ['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'];
/** The kubelet refuses such an image without a user of the pod. */
const ROOT_USER = /runAsNonRoot/;

const getContainer = (pod: Pod | undefined): ContainerStatus | undefined => pod?.status?.containerStatuses?.[0];
const isLeaving = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;

/** Whether the pod is ready: its probe succeeds. */
const isReady = (pod: Pod): boolean =>
  !isLeaving(pod) && pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;

/** Selects the pods of one creation of a workload. */
export function selectPods(pods: readonly Pod[], instance: string): WorkloadPods {
  const select = (component: Component) =>
    pods.filter(
      ({ metadata: { labels = {} } }) => labels[INSTANCE_LABEL] === instance && labels[COMPONENT_LABEL] === component,
    );
  return { server: select('server'), proxy: select('proxy') };
}

/** Returns the workload of a pod. */
export const getWorkload = ({ metadata }: Pod): string => metadata.labels?.[WORKLOAD_LABEL] ?? '';

/** Whether the proxy of a workload serves clients. */
export const isServing = ({ proxy }: WorkloadPods): boolean => proxy.some(isReady);

/**
 * Finds the failure of a start.
 * @param isStdio a stdio server ends with each session, so that its end alone is no failure
 */
export function findFailure({ server, proxy }: WorkloadPods, isStdio: boolean): PodFailure | undefined {
  for (const pod of server) {
    const found = findContainerFailure(pod, 'server') ?? (isStdio ? findLoop(pod) : findEnd(pod, 'server'));
    if (found !== undefined) return found;
  }
  for (const pod of proxy) {
    const found = findContainerFailure(pod, 'proxy') ?? findEnd(pod, 'proxy');
    if (found !== undefined) return found;
  }
  return undefined;
}

function findContainerFailure(pod: Pod, component: Component): PodFailure | undefined {
  const waiting = getContainer(pod)?.state?.waiting;
  if (waiting?.reason === undefined || isLeaving(pod)) return undefined;
  const at = { pod: pod.metadata.name, component, reason: waiting.message ?? waiting.reason };
  if (IMAGE_REASONS.includes(waiting.reason)) return { ...at, kind: 'image' };
  if (!CONTAINER_REASONS.includes(waiting.reason)) return undefined;
  return { ...at, kind: ROOT_USER.test(at.reason) ? 'root' : 'container' };
}

function findEnd(pod: Pod, component: Component): PodFailure | undefined {
  const { state, lastState } = getContainer(pod) ?? {};
  const ended = state?.terminated ?? lastState?.terminated;
  if (ended === undefined || isLeaving(pod)) return undefined;
  return { pod: pod.metadata.name, component, kind: 'ended', reason: describeExit(ended) };
}

function findLoop(pod: Pod): PodFailure | undefined {
  return getContainer(pod)?.state?.waiting?.reason === 'CrashLoopBackOff' ? findEnd(pod, 'server') : undefined;
}

/** The proxy writes its reason; other programs have an exit code. */
const describeExit = ({ exitCode, reason, message }: NonNullable<ContainerState['terminated']>): string =>
  message?.trim() ||
  (reason === 'OOMKilled'
    ? 'it used more memory than its limit (--memory)'
    : `it ended with exit code ${exitCode} before it answered`);

/** Describes why a workload does not serve clients yet. */
export function describeProgress({ server, proxy }: WorkloadPods): string {
  const pending = [...server, ...proxy].find(
    ({ status }) => status?.phase === 'Pending' || status?.phase === undefined,
  );
  const unscheduled = pending?.status?.conditions?.find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False',
  );
  if (unscheduled !== undefined)
    return `the pod ${pending?.metadata.name ?? ''} cannot be scheduled: ${unscheduled.message ?? ''}`;
  if (server.length === 0) return 'the cluster has not created the pod of the server';
  if (pending !== undefined) return `the pod ${pending.metadata.name} is not running yet`;
  return 'the server has not answered yet';
}

/** Reports the state of a workload to users. */
export function reportState(pods: WorkloadPods, isStdio: boolean): ReportedState {
  const count = (list: readonly Pod[]) => list.reduce((sum, pod) => sum + (getContainer(pod)?.restartCount ?? 0), 0);
  const restarts = count(pods.proxy) + (isStdio ? 0 : count(pods.server));
  if (pods.server.length + pods.proxy.length === 0) return { status: 'stopped', restarts };
  if (isServing(pods) && (isStdio || pods.server.some(isReady))) return { status: 'running', restarts };
  const failure = findFailure(pods, isStdio);
  return { status: 'unhealthy', restarts, context: failure === undefined ? describeProgress(pods) : failure.reason };
}
