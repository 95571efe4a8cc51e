import type {
  ConfigurationOptions,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  V1DeleteOptions,
} from '@kubernetes/client-node';
import type { ClusterAccess } from './access.ts';
import { toKubernetesApiError } from './errors.ts';
import { loadKubeconfig } from './kubeconfig.ts';
import { shareConnections } from './shared-connections.ts';
import { addTokenFileAuthentication, createTokenFileUser } from './token-file.ts';

/** A JSON object of the Kubernetes API. Its members are not validated. */
export type KubernetesObject = Readonly<Record<string, unknown>>;

/** The clients of @kubernetes/client-node for one cluster. */
export interface KubernetesConnection {
  readonly config: KubeConfig;
  readonly core: CoreV1Api;
  readonly customObjects: CustomObjectsApi;
  /** Options that end one call of `core` or `customObjects` when the signal aborts. */
  readonly createOptions: (signal: AbortSignal) => ConfigurationOptions;
  /** Adds the content type of a JSON merge patch. The library would send that of a JSON patch. */
  readonly createMergePatchOptions: (options: ConfigurationOptions) => ConfigurationOptions;
  /** The body of a deletion of the object with this version. */
  readonly createDeleteOptions: (resourceVersion: string) => V1DeleteOptions;
  /** Ends idle connections, so that a process can exit. */
  readonly close: () => void;
}

/** A client for one cluster. The first request loads @kubernetes/client-node. */
export class KubernetesClient {
  private connection: Promise<KubernetesConnection> | undefined;

  constructor(private readonly access: ClusterAccess) {}

  /**
   * Loads the library once: 0.4 s and 90 MB, which a process without a cluster does not pay.
   * @throws KubeconfigError; the next call reads the file again
   */
  connect(): Promise<KubernetesConnection> {
    const opening = (this.connection ??= openConnection(this.access));
    opening.catch(() => {
      if (this.connection === opening) this.connection = undefined;
    });
    return opening;
  }

  /** Ends idle connections, so that a process can exit. */
  close(): void {
    this.connection?.then(
      ({ close }) => close(),
      () => undefined,
    );
  }

  /**
   * Reads one Secret.
   * @returns the object as the API sent it, with base64 values in `data`
   * @throws KubernetesApiError, SyntaxError for a body that is not JSON, or the network error
   */
  async readSecret(namespace: string, name: string, signal: AbortSignal): Promise<KubernetesObject> {
    const { core, createOptions } = await this.connect();
    try {
      return (await core.readNamespacedSecret(
        { namespace, name },
        createOptions(signal),
      )) as unknown as KubernetesObject;
    } catch (error) {
      throw toKubernetesApiError(error, `/api/v1/namespaces/${namespace}/secrets/${name}`);
    }
  }
}

async function openConnection(access: ClusterAccess): Promise<KubernetesConnection> {
  const library = await import('@kubernetes/client-node');
  const { CoreV1Api, CustomObjectsApi, Observable, PatchStrategy, setHeaderOptions } = library;
  const config = new library.KubeConfig();
  addTokenFileAuthentication(config);
  if ('kubeconfigPath' in access) await loadKubeconfig(config, access);
  else
    config.loadFromClusterAndUser(
      { name: 'cluster', server: access.url, skipTLSVerify: false, ...(access.caPath && { caFile: access.caPath }) },
      { name: 'service', ...(access.tokenPath && createTokenFileUser(access.tokenPath)) },
    );
  allowPlainHttp(config);
  const close = shareConnections(config);
  return {
    close,
    config,
    core: config.makeApiClient(CoreV1Api),
    customObjects: config.makeApiClient(CustomObjectsApi),
    createOptions: (signal) => ({
      middleware: [
        {
          pre: (request) => {
            request.setSignal(signal);
            return new Observable(Promise.resolve(request));
          },
          post: (response) => new Observable(Promise.resolve(response)),
        },
      ],
      middlewareMergeStrategy: 'append',
    }),
    createMergePatchOptions: (options) => setHeaderOptions('Content-Type', PatchStrategy.MergePatch, options),
    createDeleteOptions: (resourceVersion) => {
      const preconditions = Object.assign(new library.V1Preconditions(), { resourceVersion });
      return Object.assign(new library.V1DeleteOptions(), { preconditions });
    },
  };
}

/**
 * Permits an http URL, such as that of a proxy on loopback. The library refuses it unless
 * certificates are not verified.
 */
function allowPlainHttp(config: KubeConfig): void {
  const cluster = config.getCurrentCluster();
  if (cluster?.server.startsWith('http:')) Object.assign(cluster, { skipTLSVerify: true });
}
