import { type ClusterAccess, clusterAccessOf } from '@gatehouse/service-kit/cluster-access';
import { KubernetesApi } from '@gatehouse/service-kit/kubernetes-api';
import { Log } from '@gatehouse/service-kit/log';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { type FoundServer, serverOfResource, serverOfService, withoutRepeats } from './found-server.ts';
import { type Collection, Informer } from './informer.ts';

/** How long a request waits for the cluster's first answer after the start. */
const FIRST_ANSWER_MS = 5_000;
const LOOK_MS = 50;

/**
 * The MCP servers of the cluster, as informers keep them. Each replica follows the cluster for
 * itself.
 */
@Injectable()
export class Cluster implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly informers: Informer[] = [];
  private readonly stopping = new AbortController();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const access = accessOf(this.settings);
    if (access === undefined) return;
    const api = new KubernetesApi(access);
    for (const collection of collectionsOf(this.settings)) {
      const informer = new Informer(api, collection, (state, cause) =>
        this.log[state === 'away' || state === 'forbidden' ? 'warn' : 'info'](
          { ...(cause instanceof Error && { err: cause }), path: collection.paths[0], state },
          'what is known of MCP servers in the cluster has changed',
        ),
      );
      this.informers.push(informer);
      void informer.run(this.stopping.signal);
    }
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /**
   * The servers that the cluster runs, one for each endpoint; none without a cluster.
   * @throws HttpError unavailable when the cluster was silent for too long, and when it lets
   * nothing be read
   */
  async servers(): Promise<FoundServer[]> {
    const deadline = performance.now() + FIRST_ANSWER_MS;
    while (this.informers.some(({ following }) => following === 'starting') && performance.now() < deadline)
      await sleep(LOOK_MS);
    const staleMs = this.settings.DISCOVERY_STALE_SECONDS * 1_000;
    if (this.informers.some(({ following, silentMs }) => following === 'starting' || silentMs > staleMs))
      throw new HttpError('unavailable', 'the cluster does not answer', { retryAfterSeconds: 5 });
    const present = this.informers.filter(({ following }) => following !== 'absent');
    if (present.length > 0 && present.every(({ following }) => following === 'forbidden'))
      throw new HttpError('unavailable', 'the cluster does not let this service read MCP servers', {
        retryAfterSeconds: 60,
      });
    return withoutRepeats(this.informers.flatMap(({ servers }) => servers));
  }
}

function accessOf(settings: Settings): ClusterAccess | undefined {
  if (!settings.DISCOVERY_ENABLED) return undefined;
  return clusterAccessOf({
    url: settings.DISCOVERY_KUBERNETES_URL,
    tokenPath: settings.DISCOVERY_TOKEN_PATH,
    caPath: settings.DISCOVERY_CA_PATH,
    host: settings.KUBERNETES_SERVICE_HOST,
    port: settings.KUBERNETES_SERVICE_PORT,
  });
}

/**
 * Every collection that is followed; Services last, since an operator's own object says more than
 * its Service.
 */
function collectionsOf({ DISCOVERY_RESOURCES: resources, DISCOVERY_NAMESPACES: namespaces }: Settings): Collection[] {
  const within = namespaces.length === 0 ? [''] : namespaces.map((name) => `namespaces/${name}/`);
  return [
    ...resources.flatMap(({ group, versions, plural }) =>
      within.map((namespace) => ({
        paths: versions.map((version) => `/apis/${group}/${version}/${namespace}${plural}`),
        read: serverOfResource,
      })),
    ),
    ...within.map((namespace) => ({ paths: [`/api/v1/${namespace}services`], read: serverOfService })),
  ];
}
