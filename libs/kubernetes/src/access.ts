import { formatHost } from '@gatehouse/egress/host';
import { existsSync } from 'node:fs';

/** Folder in which Kubernetes mounts the service account of a pod. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** How a service reaches a Kubernetes API. */
export type ClusterAccess = EndpointAccess | KubeconfigAccess;

/** The address of a Kubernetes API and the files with its credentials. */
export interface EndpointAccess {
  /** Base URL, without a slash at its end. */
  url: string;
  /** File with the bearer token. It is read for every request, because tokens are replaced. */
  tokenPath: string | undefined;
  /** File with the certificate authorities. It is read for every request. */
  caPath: string | undefined;
}

/** A kubeconfig file, whose current context is used unless another one is named. */
export interface KubeconfigAccess {
  /**
   * The file is read at the first request. Files that it names (certificates, keys, tokens) are
   * read for every request.
   */
  kubeconfigPath: string;
  /** More files, as KUBECONFIG lists them. An entry of an earlier file wins over a later one. */
  morePaths?: readonly string[] | undefined;
  /** The name of a context, instead of the `current-context`. */
  context?: string | undefined;
}

/** The settings of a service that select its cluster. An undefined one has the value of the pod. */
export interface ClusterSettings {
  url?: string | undefined;
  tokenPath?: string | undefined;
  caPath?: string | undefined;
  /** Path of a kubeconfig file. It is used without a `url`. */
  kubeconfigPath?: string | undefined;
  /** KUBERNETES_SERVICE_HOST, which Kubernetes sets in every pod. */
  host: string | undefined;
  /** KUBERNETES_SERVICE_PORT, which Kubernetes sets in every pod. */
  port: string | undefined;
}

/**
 * The access to the cluster of the settings, or to the cluster of this pod. It is undefined
 * without a cluster, and in a pod without a service account.
 */
export function getClusterAccess(settings: ClusterSettings): ClusterAccess | undefined {
  const { url, tokenPath, caPath, kubeconfigPath, host, port } = settings;
  if (url !== undefined) return { url, tokenPath, caPath };
  if (kubeconfigPath !== undefined) return { kubeconfigPath };
  const [podToken, podCa] = [tokenPath ?? `${SERVICE_ACCOUNT}/token`, caPath ?? `${SERVICE_ACCOUNT}/ca.crt`];
  if (host === undefined || !existsSync(podToken)) return undefined;
  const hostname = formatHost(host);
  return { url: `https://${hostname}:${port ?? '443'}`, tokenPath: podToken, caPath: podCa };
}
