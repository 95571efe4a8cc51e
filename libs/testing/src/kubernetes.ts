import type { Fixture } from './fixture.ts';

/** A running Kubernetes API server with its own storage: RBAC on, no controllers, no nodes. */
export interface KubernetesApi {
  /** `https://127.0.0.1:<port>` */
  readonly url: string;
  /** Path of a kubeconfig of a cluster administrator. */
  readonly kubeconfig: string;
  /** Bearer token of that administrator. */
  readonly token: string;
  stop(): Promise<void>;
}

/**
 * Starts a real kube-apiserver and etcd on free ports, in about 3 s.
 * The programs come from the folder KUBEBUILDER_ASSETS, else from the cache that `node tools/testbed/build.mjs` fills.
 */
export declare function startKubernetes(): Promise<Fixture<KubernetesApi>>;
