import { getClusterAccess } from '@gatehouse/kubernetes/access';
import { KubernetesClient } from '@gatehouse/kubernetes/client';
import { type Collection, Informer } from '@gatehouse/kubernetes/informer';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { type ClusterServer, readCustomResource, readService, removeDuplicates } from './cluster-server.ts';

/** The maximum wait of a request for the first response of the cluster. */
const FIRST_RESPONSE_MS = 5_000;
const POLL_MS = 50;

/** The MCP servers of the cluster. Each replica watches the cluster with its own informers. */
@Injectable()
export class ClusterServers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly informers: Informer<ClusterServer>[] = [];
  private readonly shutdown = new AbortController();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const client = createClient(this.settings);
    if (client === undefined) return;
    for (const collection of listCollections(this.settings)) {
      const informer = new Informer(client, collection, {
        onState: (state, cause) =>
          this.log[state === 'unreachable' || state === 'forbidden' ? 'warn' : 'info'](
            { ...(cause instanceof Error && { err: cause }), resource: collection.resources[0], state },
            'the informer of a resource changed its state',
          ),
      });
      this.informers.push(informer);
      void informer.run(this.shutdown.signal);
    }
  }

  onApplicationShutdown(): void {
    this.shutdown.abort();
  }

  /**
   * Lists the MCP servers in the cluster, one for each endpoint. Empty without a cluster.
   * @throws HttpError unavailable if the cluster has not answered for
   * DISCOVERY_STALE_SECONDS, and when RBAC refuses all resources
   */
  async list(): Promise<ClusterServer[]> {
    const deadline = performance.now() + FIRST_RESPONSE_MS;
    while (this.informers.some(({ state }) => state === 'starting') && performance.now() < deadline)
      await sleep(POLL_MS);
    const limitMs = this.settings.DISCOVERY_STALE_SECONDS * 1_000;
    if (this.informers.some(({ state, staleMs }) => state === 'starting' || staleMs > limitMs))
      throw new HttpError('unavailable', 'the cluster does not answer', { retryAfterMs: 5_000 });
    const present = this.informers.filter(({ state }) => state !== 'absent');
    if (present.length > 0 && present.every(({ state }) => state === 'forbidden'))
      throw new HttpError('unavailable', 'the cluster does not let this service read MCP servers', {
        retryAfterMs: 60_000,
      });
    return removeDuplicates(this.informers.flatMap(({ values }) => values));
  }
}

function createClient(settings: Settings): KubernetesClient | undefined {
  if (!settings.DISCOVERY_ENABLED) return undefined;
  const access = getClusterAccess({
    url: settings.DISCOVERY_KUBERNETES_URL,
    tokenPath: settings.DISCOVERY_TOKEN_PATH,
    caPath: settings.DISCOVERY_CA_PATH,
    host: settings.KUBERNETES_SERVICE_HOST,
    port: settings.KUBERNETES_SERVICE_PORT,
  });
  return access && new KubernetesClient(access);
}

/**
 * Lists the collections to watch. Services come last, because the object of an operator describes a
 * server better than its Service does.
 */
function listCollections(settings: Settings): Collection<ClusterServer>[] {
  const namespaces = settings.DISCOVERY_NAMESPACES.length === 0 ? [undefined] : settings.DISCOVERY_NAMESPACES;
  const ofResources = settings.DISCOVERY_RESOURCES.flatMap(({ group, versions: [preferred, ...others], plural }) =>
    namespaces.map((namespace): Collection<ClusterServer> => {
      const getResource = (version: string) => ({ group, version, plural, namespace });
      return { resources: [getResource(preferred), ...others.map(getResource)], transform: readCustomResource };
    }),
  );
  const ofServices = namespaces.map((namespace): Collection<ClusterServer> => {
    return { resources: [{ group: '', version: 'v1', plural: 'services', namespace }], transform: readService };
  });
  return [...ofResources, ...ofServices];
}
