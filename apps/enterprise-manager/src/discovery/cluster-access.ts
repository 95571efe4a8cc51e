import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Settings } from '../config.ts';

/** Where Kubernetes puts the service account of a pod. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** How the API of a cluster is reached. */
export interface ClusterAccess {
  url: string;
  /** Read for every request: tokens of service accounts are exchanged about hourly, authorities now and then. */
  credentials(): Promise<{ token?: string; ca?: string }>;
}

/** The cluster of the settings, else the one in which this process runs; undefined without one. */
export function clusterAccessOf(settings: Settings): ClusterAccess | undefined {
  if (!settings.DISCOVERY_ENABLED) return undefined;
  const { DISCOVERY_KUBERNETES_URL, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = settings;
  const { DISCOVERY_TOKEN_PATH: tokenPath, DISCOVERY_CA_PATH: caPath } = settings;
  if (DISCOVERY_KUBERNETES_URL !== undefined) return accessOf(DISCOVERY_KUBERNETES_URL, tokenPath, caPath);
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
