import type { ConfigurationOptions, CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { readFile } from 'node:fs/promises';
import type { ClusterAccess } from './access.ts';
import { toKubernetesApiError } from './errors.ts';

/** A JSON object of the Kubernetes API. Its members are not validated. */
export type KubernetesObject = Readonly<Record<string, unknown>>;

/** The clients of @kubernetes/client-node for one cluster. */
export interface KubernetesConnection {
  readonly config: KubeConfig;
  readonly core: CoreV1Api;
  readonly customObjects: CustomObjectsApi;
  /** Options that end one call of `core` or `customObjects` when the signal aborts. */
  readonly createOptions: (signal: AbortSignal) => ConfigurationOptions;
}

/** A client for one cluster. The first request loads @kubernetes/client-node. */
export class KubernetesClient {
  private connection: Promise<KubernetesConnection> | undefined;

  constructor(private readonly access: ClusterAccess) {}

  /** Loads the library once: 0.4 s and 90 MB, which a process without a cluster does not pay. */
  connect(): Promise<KubernetesConnection> {
    return (this.connection ??= openConnection(this.access));
  }

  /**
   * Reads one Secret.
   * @returns the object as the API sent it, with base64 values in `data`
   * @throws KubernetesApiError, SyntaxError for a body that is not JSON, or the network error
   */
  async readSecret(namespace: string, name: string, signal: AbortSignal): Promise<KubernetesObject> {
    const { core, createOptions: optionsOf } = await this.connect();
    try {
      return (await core.readNamespacedSecret({ namespace, name }, optionsOf(signal))) as unknown as KubernetesObject;
    } catch (error) {
      throw toKubernetesApiError(error, `/api/v1/namespaces/${namespace}/secrets/${name}`);
    }
  }
}

async function openConnection(access: ClusterAccess): Promise<KubernetesConnection> {
  const { CoreV1Api, CustomObjectsApi, KubeConfig, Observable } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.addAuthenticator({
    isAuthProvider: (user) => (user.authProvider as { name?: unknown } | undefined)?.name === TOKEN_FILE,
    applyAuthentication: async (_, options: { headers?: object }) => {
      const token = (await readFile(access.tokenPath ?? '', 'utf8')).trim();
      options.headers = { ...options.headers, Authorization: `Bearer ${token}` };
    },
  });
  // The library refuses an http URL (a proxy on loopback) unless certificates are not verified.
  const skipTLSVerify = access.url.startsWith('http:');
  config.loadFromClusterAndUser(
    { name: 'cluster', server: access.url, skipTLSVerify, ...(access.caPath && { caFile: access.caPath }) },
    { name: 'service', ...(access.tokenPath && { authProvider: { name: TOKEN_FILE } }) },
  );
  return {
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
  };
}

/**
 * Name of the authentication below. The one of the library, `tokenFile`, keeps a token for a
 * minute after its file has changed, and the newline at its end.
 */
const TOKEN_FILE = 'gatehouse-token-file';
