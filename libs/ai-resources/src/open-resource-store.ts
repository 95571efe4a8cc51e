import { getClusterAccess } from '@gatehouse/kubernetes/access';
import { KubernetesClient } from '@gatehouse/kubernetes/client';
import { ConfigError } from '@gatehouse/service-kit/config';
import { FileResourceStore } from './files/file-resource-store.ts';
import { ResourceFolder } from './files/folder/resource-folder.ts';
import { KubernetesResourceStore } from './kubernetes/kubernetes-resource-store.ts';
import type { AIGateway, AIPolicy } from './resource.ts';
import type { ResourceStore } from './resource-store.ts';

/** The settings of a service that select the source of its resources. */
export interface ResourceSettings {
  /** The namespace of all resources. */
  readonly NAMESPACE: string;
  /** A folder of YAML files. It is created if missing. */
  readonly RESOURCES_FOLDER?: string | undefined;
  /** A kubeconfig file. */
  readonly GATEHOUSE_KUBECONFIG?: string | undefined;
  /** Kubernetes sets these in every pod. A pod without the settings above uses its own cluster. */
  readonly KUBERNETES_SERVICE_HOST?: string | undefined;
  readonly KUBERNETES_SERVICE_PORT?: string | undefined;
}

/** The resources of one namespace. */
export interface ResourceStores {
  readonly gateways: ResourceStore<AIGateway>;
  readonly policies: ResourceStore<AIPolicy>;
  /** The cluster of the resources; undefined for a folder. */
  readonly cluster: KubernetesClient | undefined;
  /** Releases files and the lock of a folder. Watches must have ended. */
  close(): Promise<void>;
}

/**
 * Opens the stores of the folder or the cluster that the settings name. Nothing is read or loaded
 * before the first operation.
 * @throws ConfigError when the settings name no source, or two
 */
export function openResourceStores(settings: ResourceSettings): ResourceStores {
  const { NAMESPACE: namespace, RESOURCES_FOLDER: path, GATEHOUSE_KUBECONFIG: kubeconfigPath } = settings;
  if (path !== undefined && kubeconfigPath !== undefined)
    throw new ConfigError([
      'RESOURCES_FOLDER: names a second source of AIGateways and AIPolicies beside GATEHOUSE_KUBECONFIG; set one of them',
    ]);
  if (path !== undefined) return openFolder(path, namespace);
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = settings;
  const access = getClusterAccess({ kubeconfigPath, host, port });
  if (access === undefined)
    throw new ConfigError([
      'RESOURCES_FOLDER: is required without GATEHOUSE_KUBECONFIG, because this process is not in a pod with a service account; set one of them',
    ]);
  const client = new KubernetesClient(access);
  return {
    gateways: new KubernetesResourceStore(client, { kind: 'AIGateway', namespace }),
    policies: new KubernetesResourceStore(client, { kind: 'AIPolicy', namespace }),
    cluster: client,
    close: () => Promise.resolve(),
  };
}

function openFolder(path: string, namespace: string): ResourceStores {
  const folder = new ResourceFolder({ path, namespace });
  return {
    gateways: new FileResourceStore<AIGateway>(folder, 'AIGateway'),
    policies: new FileResourceStore<AIPolicy>(folder, 'AIPolicy'),
    cluster: undefined,
    close: () => folder.close(),
  };
}
