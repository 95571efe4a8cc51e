import type { ClusterSettings } from '@gatehouse/kubernetes/access';
import { type Client, CLIENTS, type ClientSecrets } from '../../configuration/client-secrets.ts';
import { CLIENT_SECRET_VARIABLES } from '../pod-conventions.ts';

/** The addresses of a pod, which its object sets as variables. */
export interface PodAddresses {
  readonly pod: string;
  readonly node: string;
  /** The API of the cluster. */
  readonly api: ClusterSettings;
}

/** Reads the variables of the pod. */
export const readPodAddresses = (env: NodeJS.ProcessEnv = process.env): PodAddresses => ({
  pod: env['POD_IP'] ?? '',
  node: env['NODE_IP'] ?? '',
  api: { host: env['KUBERNETES_SERVICE_HOST'], port: env['KUBERNETES_SERVICE_PORT'] },
});

/** Reads the secrets of the clients of the proxy. */
export const readPodSecrets = (env: NodeJS.ProcessEnv = process.env): ClientSecrets<string> =>
  Object.fromEntries(
    CLIENTS.flatMap((client): [Client, string][] => {
      const value = env[CLIENT_SECRET_VARIABLES[client]];
      return value === undefined ? [] : [[client, value]];
    }),
  );
