import type { ResourceSettings } from '@gatehouse/ai-resources/open-resource-store';
import type { AIGateway, AIPolicy, NewResource, ResourcesByKind } from '@gatehouse/ai-resources/resource';

/** A resource as a person writes it. */
export type WrittenGateway = NewResource<AIGateway['spec']>;
export type WrittenPolicy = NewResource<AIPolicy['spec']>;

/**
 * The place of the resources: a cluster, or a folder of files. Its methods act from outside, as
 * kubectl or an editor do, never through the service.
 */
export interface Backend {
  /** The variables that connect a service to it, with the permissions of the service. */
  readonly environment: Readonly<Record<string, string>>;
  /** The settings of its stores, with the permissions of an administrator. */
  readonly adminSettings: Omit<ResourceSettings, 'NAMESPACE'>;
  /** The namespace of the resources. */
  readonly namespace: string;
  /** Creates or replaces a resource. The spec need not be valid. */
  apply(kind: keyof ResourcesByKind, resource: NewResource): Promise<void>;
  /** Deletes a resource. */
  remove(kind: keyof ResourcesByKind, name: string): Promise<void>;
  close(): Promise<void>;
}
