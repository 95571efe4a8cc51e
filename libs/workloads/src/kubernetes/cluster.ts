import type { Readable } from 'node:stream';
import { ApiRequests } from '@gatehouse/kubernetes/api-request';
import { KubernetesClient } from '@gatehouse/kubernetes/client';
import { WorkloadError } from '../errors/workload-error.ts';
import {
  type ClusterAddress,
  type ClusterSelection,
  DEFAULT_NAMESPACE,
  type KubernetesSettings,
} from '../flags/cluster-address.ts';
import { toClusterError } from './cluster-error.ts';
import { type ClusterObject, INSTANCE_LABEL } from './objects/cluster-object.ts';
import type { NetworkPolicy } from './network-policy.ts';
import type { Pod } from './pod-state.ts';

/** The types of objects that workloads have, in the order of their removal. */
const COLLECTIONS = {
  Deployment: 'apis/apps/v1/deployments',
  StatefulSet: 'apis/apps/v1/statefulsets',
  Service: 'api/v1/services',
  Secret: 'api/v1/secrets',
  NetworkPolicy: 'apis/networking.k8s.io/v1/networkpolicies',
  RoleBinding: 'apis/rbac.authorization.k8s.io/v1/rolebindings',
  Role: 'apis/rbac.authorization.k8s.io/v1/roles',
  ServiceAccount: 'api/v1/serviceaccounts',
} as const;
type Kind = keyof typeof COLLECTIONS;

const isKind = (kind: string): kind is Kind => Object.hasOwn(COLLECTIONS, kind);

/** A right on a type of objects in the namespace, such as `create deployments.apps`. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
}

/** The requests about workloads in one namespace of a cluster. Errors are WorkloadErrors. */
export class Cluster {
  readonly #requests: ApiRequests;

  constructor(
    readonly address: ClusterAddress,
    private readonly client: KubernetesClient,
  ) {
    this.#requests = new ApiRequests(client);
  }

  /** Opens the cluster at a stored address. */
  static open(address: ClusterAddress): Cluster {
    return new Cluster(address, openClient(address.kubeconfigs, address.context));
  }

  /**
   * Finds the cluster that flags, settings and kubeconfig select.
   * @throws WorkloadError (no-engine)
   */
  static async find(selection: ClusterSelection, settings: KubernetesSettings): Promise<Cluster> {
    const kubeconfigs = await listExisting(settings.kubeconfigs ?? []);
    const client = openClient(kubeconfigs, selection.context ?? settings.context);
    try {
      const { config } = await client.connect();
      const context = config.getCurrentContext();
      const own = config.getContextObject(context)?.namespace;
      const namespace = selection.namespace ?? settings.namespace ?? (own === '' ? undefined : own);
      return new Cluster({ namespace: namespace ?? DEFAULT_NAMESPACE, context, kubeconfigs }, client);
    } catch (error) {
      throw toClusterError(error, 'read the kubeconfig');
    }
  }

  /** @throws WorkloadError: it does not answer, or does not have the namespace */
  async ping(): Promise<void> {
    const { namespace, context } = this.address;
    try {
      await this.#requests.send({ method: 'GET', path: `/api/v1/namespaces/${namespace}`, keepBody: true });
    } catch (cause) {
      const error = toClusterError(cause, `read the namespace ${namespace}`);
      // A user of one namespace cannot read it as an object of the cluster.
      if (error.status === 403) return;
      if (error.status !== 404) throw error;
      throw new WorkloadError('usage', `There is no namespace ${namespace} in the cluster of the context ${context}`, [
        `kubectl --context ${context} create namespace ${namespace}`,
        '--kube-namespace NAMESPACE   selects another one',
      ]);
    }
  }

  /** Lists the rights that the user does not have. */
  async listMissingRights(rights: readonly Right[], signal?: AbortSignal): Promise<Right[]> {
    const { namespace } = this.address;
    const answers = await Promise.all(
      rights.map(async (right) => {
        const resourceAttributes = { namespace, ...right };
        const review = await this.#call('check your rights', {
          method: 'POST',
          path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
          body: {
            apiVersion: 'authorization.k8s.io/v1',
            kind: 'SelfSubjectAccessReview',
            spec: { resourceAttributes },
          },
          signal,
        });
        return (review['status'] as { allowed?: boolean } | undefined)?.allowed === true;
      }),
    );
    return rights.filter((_, at) => answers[at] !== true);
  }

  /**
   * Creates an object; with `replace` an existing one of the same workload becomes the given one.
   * @returns the object of the cluster
   * @throws WorkloadError (conflict) when the name is taken, also with `replace`
   */
  async put<T extends object>(object: ClusterObject, replace: boolean, signal: AbortSignal): Promise<T> {
    const { kind, metadata } = object;
    const collection = this.#getPath(kind);
    if (replace) await this.#requireOwn(object, signal);
    const request = replace
      ? ({
          method: 'PATCH',
          path: `${collection}/${metadata.name}`,
          query: { fieldManager: 'gatehouse', force: 'true', fieldValidation: 'Strict' },
          contentType: 'application/apply-patch+yaml',
        } as const)
      : ({
          method: 'POST',
          path: collection,
          query: { fieldManager: 'gatehouse', fieldValidation: 'Strict' },
        } as const);
    // The answer about a Secret would repeat its values.
    return (await this.#call(`create the ${kind} ${metadata.name}`, {
      ...request,
      body: object,
      signal,
      keepBody: kind !== 'Secret',
    })) as T;
  }

  /** Sets the number of pods of all objects with a label. Others can have their names. */
  async scale(kind: 'Deployment' | 'StatefulSet', labelSelector: string, replicas: number): Promise<void> {
    const path = this.#getPath(kind);
    await Promise.all(
      (await this.#listNames(kind, { labelSelector })).map((name) =>
        this.#ignoreMissing(
          this.#call(`scale the ${kind} ${name}`, {
            method: 'PATCH',
            path: `${path}/${name}/scale`,
            body: { spec: { replicas } },
            contentType: 'application/merge-patch+json',
          }),
        ),
      ),
    );
  }

  /** Removes all objects with a label. */
  async removeAll(labelSelector: string): Promise<void> {
    // The pods of the proxy come first, because they change those of the server.
    for (const kind of Object.keys(COLLECTIONS).filter(isKind)) await this.#removeKind(kind, labelSelector);
  }

  /** Services have no deletion of a collection in every version, so that objects go one by one. */
  async #removeKind(kind: Kind, labelSelector: string): Promise<void> {
    const path = this.#getPath(kind);
    await Promise.all(
      (await this.#listNames(kind, { labelSelector })).map((name) =>
        this.#ignoreMissing(this.#call(`remove the ${kind} ${name}`, { method: 'DELETE', path: `${path}/${name}` })),
      ),
    );
  }

  /** Lists the names of the objects of a type in a selection. */
  async #listNames(kind: Kind, query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<string[]> {
    const request = { method: 'GET', path: this.#getPath(kind), query, signal } as const;
    const listed = await this.#call(`list objects of the type ${kind}`, request);
    const items = (listed['items'] ?? []) as readonly { readonly metadata: { readonly name: string } }[];
    return items.map(({ metadata: { name } }) => name);
  }

  /** @throws WorkloadError (conflict) when an object of another workload has the name */
  async #requireOwn({ kind, metadata: { name, labels } }: ClusterObject, signal: AbortSignal): Promise<void> {
    if (!isKind(kind)) throw new Error(`workloads have no ${kind}`);
    const labelSelector = `${INSTANCE_LABEL}!=${labels[INSTANCE_LABEL] ?? ''}`;
    const foreign = await this.#listNames(kind, { fieldSelector: `metadata.name=${name}`, labelSelector }, signal);
    if (foreign.length === 0) return;
    const { namespace } = this.address;
    throw new WorkloadError('conflict', `The ${kind} ${name} in the namespace ${namespace} is not of this workload`, [
      `kubectl --namespace ${namespace} describe ${kind.toLowerCase()} ${name}   shows its owner`,
    ]);
  }

  /** Finds the address of a Service; undefined without it, or without an answer. */
  async findServiceAddress(name: string): Promise<string | undefined> {
    const path = `${this.#getPath('Service')}/${name}`;
    const read = this.#requests.send({ method: 'GET', path, keepBody: true });
    const { spec } = (await read.catch(() => ({}))) as { spec?: { clusterIP?: string } };
    return spec?.clusterIP;
  }

  /** Lists the network policies of the namespace. */
  async listNetworkPolicies(signal: AbortSignal): Promise<readonly NetworkPolicy[]> {
    const path = this.#getPath('NetworkPolicy');
    const listed = await this.#call('list network policies', { method: 'GET', path, signal });
    return (listed['items'] ?? []) as readonly NetworkPolicy[];
  }

  /**
   * Lists the names of the API groups, and of the DaemonSets of the system. A user without the
   * right sees none.
   */
  async listComponents(signal: AbortSignal): Promise<readonly string[]> {
    const send = (path: string) =>
      this.#requests.send({ method: 'GET', path, signal, keepBody: true }).catch(() => ({}));
    const [groups, sets] = await Promise.all([send('/apis'), send('/apis/apps/v1/namespaces/kube-system/daemonsets')]);
    const { groups: named = [] } = groups as { groups?: readonly { readonly name: string }[] };
    const { items = [] } = sets as { items?: readonly { readonly metadata: { readonly name: string } }[] };
    return [...named.map(({ name }) => name), ...items.map(({ metadata }) => metadata.name)];
  }

  /** Lists pods by their labels. */
  async listPods(labelSelector: string, signal?: AbortSignal): Promise<readonly Pod[]> {
    const path = `/api/v1/namespaces/${this.address.namespace}/pods`;
    const listed = await this.#call('list pods', { method: 'GET', path, query: { labelSelector }, signal });
    return (listed['items'] ?? []) as readonly Pod[];
  }

  /** Lists the messages of failures about an object. A user without the right sees none. */
  async listFailures(kind: string, name: string): Promise<readonly string[]> {
    const fieldSelector = `involvedObject.kind=${kind},involvedObject.name=${name},type=Warning`;
    const path = `/api/v1/namespaces/${this.address.namespace}/events`;
    const listed = await this.#requests.send({ method: 'GET', path, query: { fieldSelector } }).catch(() => ({}));
    const { items = [] } = listed as { items?: readonly { readonly reason?: string; readonly message?: string }[] };
    return items.flatMap(({ reason, message }) => (reason === 'FailedCreate' && message ? [message] : []));
  }

  /** Opens the log of a pod. */
  async openLog(pod: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Readable> {
    const path = `/api/v1/namespaces/${this.address.namespace}/pods/${pod}/log`;
    try {
      return await this.#requests.open({ method: 'GET', path, query, signal, keepBody: true });
    } catch (error) {
      throw toClusterError(error, `read the log of the pod ${pod}`);
    }
  }

  /** Ends idle connections. */
  close(): void {
    this.client.close();
  }

  async #call(action: string, request: Parameters<ApiRequests['send']>[0]) {
    try {
      return await this.#requests.send({ keepBody: true, ...request });
    } catch (error) {
      request.signal?.throwIfAborted();
      throw toClusterError(error, `${action} in the namespace ${this.address.namespace}`);
    }
  }

  async #ignoreMissing(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => {
      if ((error as { status?: unknown }).status !== 404) throw error;
    });
  }

  #getPath(kind: string): string {
    if (!isKind(kind)) throw new Error(`workloads have no ${kind}`);
    return `/${COLLECTIONS[kind].replace(/\/([^/]+)$/, `/namespaces/${this.address.namespace}/$1`)}`;
  }
}

const openClient = ([kubeconfigPath = '', ...morePaths]: readonly string[], context: string | undefined) =>
  new KubernetesClient({ kubeconfigPath, morePaths, context });

/** Files of KUBECONFIG that do not exist are left out, as kubectl does, unless none exists. */
async function listExisting(paths: readonly string[]): Promise<readonly string[]> {
  const { existsSync } = await import('node:fs');
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length > 0) return existing;
  throw new WorkloadError('no-engine', `There is no kubeconfig at ${paths.join(', ')}`, [
    'KUBECONFIG=PATH   names the file with the address and the credentials of the cluster',
  ]);
}
