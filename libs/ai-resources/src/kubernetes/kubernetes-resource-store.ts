import type { KubernetesClient, KubernetesObject } from '@gatehouse/kubernetes/client';
import { CustomObjects } from '@gatehouse/kubernetes/custom-objects';
import { KubernetesApiError } from '@gatehouse/kubernetes/errors';
import { Informer, type InformerState } from '@gatehouse/kubernetes/informer';
import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { API_VERSION, type NewResource, type ResourceKind, type ResourcesByKind } from '../resource.ts';
import type {
  ListOptions,
  MergePatch,
  PatchOptions,
  Precondition,
  ResourceObserver,
  ResourcePage,
  ResourceStore,
  WatchState,
} from '../resource-store.ts';
import { ResourceStoreError } from '../resource-store.ts';
import { readResourceObject } from './resource-from-object.ts';
import { type ResourceRequest, toStoreError } from './store-error.ts';

const [GROUP, VERSION] = API_VERSION.split('/') as [string, string];
const PLURALS: Readonly<Record<ResourceKind, string>> = { AIGateway: 'aigateways', AIPolicy: 'aipolicies' };
const PAGE_SIZE = 500;

/** The API did not process a request that it answers with 429, so every request may be repeated. */
const RATE_LIMIT_RETRIES = 3;
const LONGEST_PAUSE_MS = 2_000;

/** A version that the API accepts in a precondition. It answers 500 for other texts. */
const RESOURCE_VERSION = /^[1-9]\d{0,18}$/;

/** The resources that a store contains. */
export interface KubernetesResources<Kind extends ResourceKind> {
  readonly kind: Kind;
  readonly namespace: string;
  /** The time limit of one request; default 10 s. */
  readonly timeoutMs?: number;
}

/** The resources of one kind in one namespace of a Kubernetes cluster. */
export class KubernetesResourceStore<Kind extends ResourceKind> implements ResourceStore<ResourcesByKind[Kind]> {
  private readonly objects: CustomObjects;
  private readonly resource: { group: string; version: string; plural: string; namespace: string };
  private readonly kind: Kind;

  constructor(
    private readonly client: KubernetesClient,
    { kind, namespace, timeoutMs }: KubernetesResources<Kind>,
  ) {
    this.kind = kind;
    this.resource = { group: GROUP, version: VERSION, plural: PLURALS[kind], namespace };
    this.objects = new CustomObjects(client, this.resource, timeoutMs);
  }

  async get(name: string, signal?: AbortSignal): Promise<ResourcesByKind[Kind] | undefined> {
    try {
      return this.read(await this.send({ verb: 'get', name }, () => this.objects.get(name, signal), signal));
    } catch (error) {
      if (error instanceof ResourceStoreError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  async list(
    { limit = PAGE_SIZE, continue: next, labelSelector }: ListOptions = {},
    signal?: AbortSignal,
  ): Promise<ResourcePage<ResourcesByKind[Kind]>> {
    const query = { limit, continue: next, labelSelector };
    const page = await this.send({ verb: 'list' }, () => this.objects.list(query, signal), signal);
    const { items, resourceVersion, continue: following, remainingItemCount } = page;
    return {
      items: items.map((object) => this.read(object)),
      resourceVersion,
      ...(following !== undefined && { continue: following }),
      ...(remainingItemCount !== undefined && { remainingItemCount }),
    };
  }

  async create(
    { metadata, spec }: NewResource<ResourcesByKind[Kind]['spec']>,
    signal?: AbortSignal,
  ): Promise<ResourcesByKind[Kind]> {
    const body = { apiVersion: API_VERSION, kind: this.kind, metadata, spec };
    const { name } = metadata;
    return this.read(await this.send({ verb: 'create', name, body }, () => this.objects.create(body, signal), signal));
  }

  async patch(
    name: string,
    patch: MergePatch,
    { resourceVersion, subresource }: PatchOptions,
    signal?: AbortSignal,
  ): Promise<ResourcesByKind[Kind]> {
    await this.requireVersion(name, resourceVersion, signal);
    const body = { ...patch, metadata: { ...(patch['metadata'] as object | undefined), resourceVersion } };
    const send = () => this.objects.patch(name, body, subresource, signal);
    return this.read(await this.send({ verb: 'patch', name, body }, send, signal));
  }

  async delete(name: string, { resourceVersion }: Precondition, signal?: AbortSignal): Promise<void> {
    await this.requireVersion(name, resourceVersion, signal);
    await this.send({ verb: 'delete', name }, () => this.objects.delete(name, resourceVersion, signal), signal);
  }

  async watch(observer: ResourceObserver<ResourcesByKind[Kind]>, signal: AbortSignal): Promise<void> {
    const transform = (object: KubernetesObject) => readResourceObject(this.kind, object);
    const informer = new Informer(
      this.client,
      { resources: [this.resource], transform },
      {
        onState: (state, cause) => observer.onState(toWatchState(state, cause)),
        onReplaced: (resources, resourceVersion) => observer.onReplaced(resources, resourceVersion),
        onChanged: (resource) => observer.onChanged(resource),
        onDeleted: (resource) => observer.onDeleted(resource),
      },
    );
    await informer.run(signal);
  }

  /**
   * Sends a request, and again after 429.
   * @throws ResourceStoreError, or the reason of the signal
   */
  private async send<Answer>(
    request: Pick<ResourceRequest, 'verb' | 'name' | 'body'>,
    send: () => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    try {
      return await retry(send, {
        backoff: new Backoff({ firstMs: 250, longestMs: LONGEST_PAUSE_MS }),
        getMinimumPause: (error) => (error as KubernetesApiError).retryAfterMs,
        maxRetries: RATE_LIMIT_RETRIES,
        shouldRetry: isBrieflyLimited,
        ...(signal && { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      const { namespace, plural } = this.resource;
      throw toStoreError(error, { ...request, kind: this.kind, type: `${plural}.${GROUP}`, namespace });
    }
  }

  private async requireVersion(name: string, resourceVersion: string, signal: AbortSignal | undefined): Promise<void> {
    if (RESOURCE_VERSION.test(resourceVersion)) return;
    await this.send({ verb: 'get', name }, () => this.objects.get(name, signal), signal);
    throw new ResourceStoreError('conflict', `The ${this.kind} ${name} has another resourceVersion. Read it again.`);
  }

  private read(object: KubernetesObject): ResourcesByKind[Kind] {
    const resource = readResourceObject(this.kind, object);
    if (resource === undefined)
      throw new ResourceStoreError('unavailable', `The Kubernetes API sent an object that is no ${this.kind}.`);
    return resource;
  }
}

const isBrieflyLimited = (error: unknown): boolean =>
  error instanceof KubernetesApiError && error.status === 429 && (error.retryAfterMs ?? 0) <= LONGEST_PAUSE_MS;

function toWatchState(state: InformerState, cause: unknown): WatchState {
  const isRefused = cause instanceof KubernetesApiError && cause.status === 401;
  const status = isRefused ? 'forbidden' : state === 'starting' ? 'unreachable' : state;
  return { status, problems: [], ...(cause !== undefined && { cause }) };
}
