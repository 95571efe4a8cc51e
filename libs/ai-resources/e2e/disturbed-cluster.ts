import { KubernetesClient } from '@gatehouse/kubernetes/client';
import { type Cluster, startCluster } from '@gatehouse/testing/cluster';
import { type KubernetesProxy, startKubernetesProxy } from '@gatehouse/testing/kubernetes-proxy';
import { setTimeout as sleep } from 'node:timers/promises';
import { ResourceCache } from '../src/cache/resource-cache.ts';
import { KubernetesResourceStore } from '../src/kubernetes/kubernetes-resource-store.ts';
import type { AIPolicy } from '../src/resource.ts';
import type { WatchState } from '../src/resource-store.ts';

const NAMESPACE = 'tools';
const API = '/apis/gatehouse.dev/v1alpha1/namespaces/tools/aipolicies';
const ALL_VERBS = ['get', 'list', 'watch', 'create', 'patch', 'delete'];

/** A cluster with AIPolicy, a proxy in front of it, and an account for the store. */
export class DisturbedCluster {
  readonly namespace = NAMESPACE;

  private constructor(
    readonly cluster: Cluster,
    readonly proxy: KubernetesProxy,
    readonly tokenPath: string,
  ) {}

  static async start(programs: string): Promise<DisturbedCluster> {
    const cluster = await startCluster(programs);
    await cluster.createDefinitions('crds/aipolicies.gatehouse.dev.yaml');
    const disturbed = new DisturbedCluster(
      cluster,
      await startKubernetesProxy(cluster),
      await cluster.createTokenFile('editor'),
    );
    await disturbed.permit(ALL_VERBS);
    return disturbed;
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await this.cluster.close();
  }

  /** Permits the account these verbs, and no others. */
  permit(verbs: readonly string[] = ALL_VERBS): Promise<void> {
    return this.cluster.permit('editor', NAMESPACE, [
      { apiGroups: ['gatehouse.dev'], resources: ['aipolicies', 'aipolicies/status'], verbs },
    ]);
  }

  /** A store behind the proxy. */
  openStore({ tokenPath = this.tokenPath, timeoutMs = 10_000 } = {}): KubernetesResourceStore<'AIPolicy'> {
    const client = new KubernetesClient({ url: this.proxy.url, tokenPath, caPath: undefined });
    return new KubernetesResourceStore(client, { kind: 'AIPolicy', namespace: NAMESPACE, timeoutMs });
  }

  /** Creates or changes a policy, as an administrator without the proxy. @returns its version */
  async write(name: string, description: string): Promise<string> {
    const spec = { gatewayRef: { name: 'local' }, principalMatchers: [{ claims: { sub: 'a' } }], description };
    const object = { apiVersion: 'gatehouse.dev/v1alpha1', kind: 'AIPolicy', metadata: { name }, spec };
    await this.cluster.create(API, object);
    const answer = await this.callUntilServed('PATCH', `${API}/${name}`, { spec: { description } });
    return (JSON.parse(answer) as AIPolicy).metadata.resourceVersion;
  }

  async delete(name: string): Promise<void> {
    await this.cluster.call('DELETE', `${API}/${name}`);
  }

  /** The versions of all policies by name, read without the proxy. */
  async readVersions(): Promise<Record<string, string>> {
    const { items } = JSON.parse(await this.callUntilServed('GET', API)) as { items: AIPolicy[] };
    return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  }

  /** Calls the API until it serves custom resources, which it does a while after its start. */
  private async callUntilServed(method: string, path: string, body?: object): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.cluster.call(method, path, body);
      if (answer.status === 200) return answer.body;
      if (attempt === 200) throw new Error(`${method} ${path} answers ${answer.status}: ${answer.body}`);
      await sleep(50);
    }
  }
}

/** A cache that follows a store until it is stopped. */
export class FollowingCache {
  readonly states: WatchState[] = [];
  readonly cache: ResourceCache<AIPolicy>;
  private readonly ended = new AbortController();
  private readonly done: Promise<void>;

  constructor(store: KubernetesResourceStore<'AIPolicy'>) {
    this.cache = new ResourceCache(store, {
      onState: (state) => this.states.push(state),
      onListenerError: (error) => {
        throw error;
      },
    });
    this.done = this.cache.run(this.ended.signal);
  }

  get statuses(): string[] {
    return this.states.map(({ status }) => status);
  }

  get versions(): Record<string, string> {
    return Object.fromEntries(
      this.cache.values().map(({ metadata }) => [metadata.name, metadata.resourceVersion] as const),
    );
  }

  async stop(): Promise<void> {
    this.ended.abort();
    await this.done;
  }
}
