import { resolve } from 'node:path';
import { flagError, WorkloadError } from '../errors/workload-error.ts';
import { isImageReference } from './image-reference.ts';

/** The namespace of a context that names none, as kubectl has it. */
export const DEFAULT_NAMESPACE = 'default';

/** The cluster that a command line selects. */
export interface ClusterSelection {
  /** The value of `--kube-context`; undefined: the setting, else the current context. */
  readonly context: string | undefined;
  /** The value of `--kube-namespace`; undefined: the setting, else that of the context. */
  readonly namespace: string | undefined;
}

/** The settings of workloads on Kubernetes. A setting is read when it is needed. */
export interface KubernetesSettings {
  /** Absolute paths of the kubeconfig files, the most important first. */
  readonly kubeconfigs?: readonly string[];
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  /** The image of the proxy, which the cluster can pull or has. */
  readonly proxyImage?: string | undefined;
  /** The registry to which images are pushed, such as `registry.example.com/team`. */
  readonly registry?: string | undefined;
}

/** The namespace of a cluster in which a workload runs. */
export interface ClusterAddress {
  readonly namespace: string;
  readonly context: string;
  /** Absolute paths of kubeconfig files. */
  readonly kubeconfigs: readonly string[];
}

const SCHEME = 'kubernetes:';
const NAMESPACE = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** Whether the address of a runtime is that of a cluster. */
export const isClusterAddress = (address: string): boolean => address.startsWith(`${SCHEME}//`);

/** Whether the URL of a workload is for clients in its cluster only. */
export const isClusterUrl = (url: string): boolean => URL.parse(url)?.hostname.endsWith('.svc.cluster.local') === true;

/**
 * Formats an address as text: `kubernetes://namespace/context?kubeconfig=path`. The run
 * configuration stores it.
 */
export function formatClusterAddress({ namespace, context, kubeconfigs }: ClusterAddress): string {
  const query = new URLSearchParams(kubeconfigs.map((path): [string, string] => ['kubeconfig', path]));
  return `${SCHEME}//${namespace}/${encodeURIComponent(context)}?${query.toString()}`;
}

/** Parses the text of an address. @throws WorkloadError (usage) for another text */
export function parseClusterAddress(text: string): ClusterAddress {
  const [, namespace = '', context = '', query = ''] = /^kubernetes:\/\/([^/?]+)\/([^/?]+)\?(.*)$/.exec(text) ?? [];
  const kubeconfigs = new URLSearchParams(query).getAll('kubeconfig');
  if (!NAMESPACE.test(namespace) || kubeconfigs.length === 0)
    throw flagError(`engine ${text}`, 'is not the address of a cluster');
  try {
    return { namespace, context: decodeURIComponent(context), kubeconfigs };
  } catch (error) {
    throw new WorkloadError('usage', `engine ${text} is not the address of a cluster`, [], error);
  }
}

/** Checks the name of a namespace. @throws WorkloadError (usage) that names the flag or setting */
export function requireNamespaceName(typed: string, name: string): string {
  if (NAMESPACE.test(name)) return name;
  throw flagError(`${typed} ${name}`, 'is not the name of a namespace; give lower-case letters, digits and hyphens');
}

/** Checks the name of a registry with an optional path. @throws WorkloadError (usage) */
export function requireRegistry(typed: string, text: string): string {
  const registry = text.replace(/\/+$/, '');
  const [host = ''] = registry.split('/');
  if (/[.:]|^localhost$/.test(host) && isImageReference(`${registry}/image`)) return registry;
  throw flagError(
    `${typed} ${text}`,
    'is not a registry; give a host with an optional path',
    'registry.example.com/team',
  );
}

/**
 * Lists the files of KUBECONFIG, else the default one.
 * @param delimiter of the paths in the variable
 */
export function listKubeconfigs(variable: string | undefined, defaultPath: string, delimiter: string): string[] {
  const listed = (variable ?? '').split(delimiter).filter((path) => path !== '');
  return (listed.length > 0 ? listed : [defaultPath]).map((path) => resolve(path));
}

/** The port of the Service where the user requests none. */
const SERVICE_PORT = 8080;

/** Returns the port of the Service of a workload. */
export const getServicePort = ({ port }: { readonly port: number }): number => (port === 0 ? SERVICE_PORT : port);
