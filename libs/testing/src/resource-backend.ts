/** The kinds of resources of AI gateways. */
export type ResourceKind = 'AIGateway' | 'AIPolicy';

/** A resource as a person writes it. Its spec need not be valid. */
export interface WrittenResource {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: unknown;
}

/**
 * The place of the resources: a cluster, or a folder of files. Its methods act from outside, as
 * kubectl or an editor do, never through the service.
 */
export interface ResourceBackend {
  /** The variables that connect a service to it, with the permissions of the service. */
  readonly environment: Readonly<Record<string, string>>;
  /** The settings of its stores, with the permissions of an administrator. */
  readonly adminSettings: { readonly RESOURCES_FOLDER?: string; readonly GATEHOUSE_KUBECONFIG?: string };
  /** The namespace of the resources. */
  readonly namespace: string;
  /** Creates or replaces a resource. */
  apply(kind: ResourceKind, resource: WrittenResource): Promise<void>;
  /** Deletes a resource. */
  remove(kind: ResourceKind, name: string): Promise<void>;
  close(): Promise<void>;
}
