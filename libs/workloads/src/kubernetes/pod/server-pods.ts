import { setTimeout as sleep } from 'node:timers/promises';
import { ApiRequests } from '@gatehouse/kubernetes/api-request';
import { attachToContainer } from '@gatehouse/kubernetes/attach';
import type { KubernetesClient } from '@gatehouse/kubernetes/client';
import { KubernetesApiError } from '@gatehouse/kubernetes/errors';
import { CONTAINER } from '../pod-conventions.ts';
import type { ServerEnd, ServerProcess } from '../../runtime/workload-server.ts';

/** The place of the pods, and their number. */
export interface ServerPodsOptions {
  readonly namespace: string;
  /** The name of the StatefulSet. Its pods are `<name>-0`, `<name>-1` and so on. */
  readonly statefulSet: string;
  /** The number of pods at the start. */
  readonly first: number;
  readonly most: number;
  /** Time until a pod must run. */
  readonly startTimeoutMs: number;
  /** Receives the standard error of the servers. */
  readonly errors: (data: Buffer) => void;
  readonly log: (line: string) => void;
}

/** The read members of a pod. */
interface Pod {
  readonly metadata: { readonly uid: string; readonly deletionTimestamp?: string };
  readonly status?: {
    readonly containerStatuses?: readonly {
      readonly state?: { readonly running?: object; readonly terminated?: { readonly exitCode: number } };
    }[];
  };
}

const POLL_MS = 100;
const PATCH = 'application/merge-patch+json';

/**
 * The pods of a stdio server. Each process that the bridge opens is one pod of the StatefulSet. Its
 * pod is replaced afterwards, because a server serves its standard input once. One pod more than
 * those in use is kept running.
 */
export class ServerPods {
  readonly #requests: ApiRequests;
  /** The numbers of pods that no process uses, the one that has been free for longest first. */
  #free: number[];
  readonly #used = new Set<number>();
  /** The last pod of each number that has served. */
  readonly #served = new Map<number, string>();
  #count: number;
  /** The number of pods that the cluster has. */
  #scaled: number;
  #scaling: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: KubernetesClient,
    private readonly options: ServerPodsOptions,
  ) {
    this.#requests = new ApiRequests(client);
    this.#count = options.first;
    this.#scaled = options.first;
    this.#free = Array.from({ length: options.first }, (_, at) => at);
  }

  /** Attaches to a pod that has not served yet. @throws Error with the reason */
  async open(): Promise<ServerProcess> {
    const ordinal = this.#take();
    try {
      await this.#scale();
      const pod = await this.#waitUntilRunning(ordinal);
      this.#served.set(ordinal, pod.metadata.uid);
      const { namespace, errors } = this.options;
      const target = { namespace, pod: this.#getName(ordinal), container: CONTAINER };
      const streams = await attachToContainer(this.client, target, errors);
      const ended = streams.closed.then(() => this.#end(ordinal, pod));
      const stop = async () => {
        streams.input.end();
        streams.close();
        await ended;
      };
      return { input: streams.input, output: streams.output, ended, stop };
    } catch (error) {
      await this.#replace(ordinal);
      throw error;
    }
  }

  #take(): number {
    if (this.#free.length === 0) this.#grow();
    const ordinal = this.#free.shift();
    if (ordinal === undefined) throw new Error(`all ${this.options.most} pods of the server are in use`);
    this.#used.add(ordinal);
    if (this.#free.length === 0) this.#grow();
    return ordinal;
  }

  #grow(): void {
    if (this.#count >= this.options.most) return;
    this.#free.push(this.#count);
    this.#count += 1;
  }

  /** Returns the end of the process of a pod, and replaces the pod. */
  async #end(ordinal: number, pod: Pod): Promise<ServerEnd> {
    const now = await this.#read(ordinal).catch(() => undefined);
    const terminated = now?.status?.containerStatuses?.[0]?.state?.terminated;
    const isSame = now?.metadata.uid === pod.metadata.uid;
    await this.#replace(ordinal);
    return isSame && terminated !== undefined ? { kind: 'exited', code: terminated.exitCode } : { kind: 'lost' };
  }

  async #replace(ordinal: number): Promise<void> {
    try {
      await this.#requests.send({ method: 'DELETE', path: this.#getPath(ordinal), query: { gracePeriodSeconds: '1' } });
    } catch (error) {
      if (!isNotFound(error)) this.options.log(`the pod ${this.#getName(ordinal)} is not replaced: ${String(error)}`);
    }
    this.#used.delete(ordinal);
    this.#free.push(ordinal);
    await this.#shrink().catch((error: unknown) => this.options.log(`the pods are not reduced: ${String(error)}`));
  }

  /** Removes the last pods that are free, and keeps those of the start. */
  async #shrink(): Promise<void> {
    const wanted = Math.max(this.options.first, Math.max(-1, ...this.#used) + 2);
    if (wanted >= this.#count) return;
    this.#count = wanted;
    this.#free = this.#free.filter((ordinal) => ordinal < wanted);
    await this.#scale();
  }

  /** Sends the number of pods. One request follows the other, so that the last number stays. */
  #scale(): Promise<void> {
    const scaling = this.#scaling.then(async () => {
      if (this.#scaled === this.#count) return;
      const { namespace, statefulSet } = this.options;
      const replicas = this.#count;
      await this.#requests.send({
        method: 'PATCH',
        path: `/apis/apps/v1/namespaces/${namespace}/statefulsets/${statefulSet}/scale`,
        body: { spec: { replicas } },
        contentType: PATCH,
      });
      this.#scaled = replicas;
    });
    this.#scaling = scaling.catch(() => undefined);
    return scaling;
  }

  async #waitUntilRunning(ordinal: number): Promise<Pod> {
    const deadline = performance.now() + this.options.startTimeoutMs;
    for (;;) {
      const pod = await this.#read(ordinal);
      const isNew = pod !== undefined && pod.metadata.uid !== this.#served.get(ordinal);
      const state = pod?.status?.containerStatuses?.[0]?.state;
      if (isNew && pod.metadata.deletionTimestamp === undefined && state?.running !== undefined) return pod;
      if (performance.now() > deadline)
        throw new Error(
          `the pod ${this.#getName(ordinal)} does not run within ${this.options.startTimeoutMs / 1000} s`,
        );
      await sleep(POLL_MS);
    }
  }

  async #read(ordinal: number): Promise<Pod | undefined> {
    try {
      return (await this.#requests.send({ method: 'GET', path: this.#getPath(ordinal) })) as unknown as Pod;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #getName(ordinal: number): string {
    return `${this.options.statefulSet}-${ordinal}`;
  }

  #getPath(ordinal: number): string {
    return `/api/v1/namespaces/${this.options.namespace}/pods/${this.#getName(ordinal)}`;
  }
}

const isNotFound = (error: unknown): boolean => error instanceof KubernetesApiError && error.status === 404;
