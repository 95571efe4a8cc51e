import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Where Kubernetes puts the service account of a pod. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** How the API of a cluster is reached. */
export interface ClusterAccess {
  url: string;
  /**
   * Read for every request: tokens of service accounts are exchanged about hourly, authorities now
   * and then.
   */
  credentials(): Promise<{ token?: string; ca?: string }>;
}

/** What the settings of a service say about its cluster; undefined for what is that of the pod. */
export interface ClusterSettings {
  url: string | undefined;
  tokenPath: string | undefined;
  caPath: string | undefined;
  /** KUBERNETES_SERVICE_HOST and _PORT, which Kubernetes sets in every pod. */
  host: string | undefined;
  port: string | undefined;
}

/** The cluster of the settings, else the one in which this process runs; undefined without one. */
export function clusterAccessOf({ url, tokenPath, caPath, host, port }: ClusterSettings): ClusterAccess | undefined {
  if (url !== undefined) return accessOf(url, tokenPath, caPath);
  const [token, ca] = [tokenPath ?? `${SERVICE_ACCOUNT}/token`, caPath ?? `${SERVICE_ACCOUNT}/ca.crt`];
  // A pod that gets no service account is not meant to ask its cluster anything.
  if (host === undefined || !existsSync(token)) return undefined;
  return accessOf(`https://${host.includes(':') ? `[${host}]` : host}:${port ?? '443'}`, token, ca);
}

function accessOf(url: string, tokenPath: string | undefined, caPath: string | undefined): ClusterAccess {
  return {
    url,
    credentials: async () => ({
      ...(tokenPath !== undefined && { token: (await readFile(tokenPath, 'utf8')).trim() }),
      ...(caPath !== undefined && { ca: await readFile(caPath, 'utf8') }),
    }),
  };
}
