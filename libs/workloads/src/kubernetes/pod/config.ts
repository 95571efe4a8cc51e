import type { ClusterSettings } from '@gatehouse/kubernetes/access';
import type { RunConfig } from '../../configuration/run-config.ts';
import { type ProxySecretValues, sortProxySecrets } from '../proxy-secrets.ts';

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

/** Reads the secrets of the proxy. */
export const readPodSecrets = (config: RunConfig, env: NodeJS.ProcessEnv = process.env): ProxySecretValues =>
  sortProxySecrets(config, (variable) => env[variable]);
