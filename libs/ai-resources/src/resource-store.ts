import { GatehouseError, type ErrorDetails } from '@gatehouse/errors/gatehouse-error';
import type { NewResource, Resource } from './resource.ts';

/**
 * The resources of one kind in one namespace. There are two implementations: the API of a
 * Kubernetes cluster, and YAML files in a folder. One suite holds for both.
 *
 * Every method rejects with a ResourceStoreError when the store cannot or may not do its work, and
 * with the reason of the signal when it is aborted. Each can reject with `unavailable`; a write may
 * then have been stored. No resource has a name that is not a DNS-1123 subdomain.
 */
export interface ResourceStore<T extends Resource = Resource> {
  /** Returns the resource, or undefined. */
  get(name: string, signal?: AbortSignal): Promise<T | undefined>;
  /**
   * Returns one page of the resources, sorted by the bytes of their names. A resource that exists
   * while the pages are read is on exactly one of them.
   * @throws ResourceStoreError `expired` for a token that is too old or invalid, `invalid_selector`
   */
  list(options?: ListOptions, signal?: AbortSignal): Promise<ResourcePage<T>>;
  /** Stores a new resource. @throws ResourceStoreError `already_exists`, `invalid` */
  create(resource: NewResource<T['spec']>, signal?: AbortSignal): Promise<T>;
  /**
   * Applies a JSON merge patch (RFC 7396) to the resource, or to its status alone. A patch that
   * changes nothing keeps the version. Only a change of `spec` increments the generation.
   * @throws ResourceStoreError `not_found`, `conflict` when the resource has another version,
   * `invalid`
   */
  patch(name: string, patch: MergePatch, options: PatchOptions, signal?: AbortSignal): Promise<T>;
  /** @throws ResourceStoreError `not_found`, `conflict` when the resource has another version */
  delete(name: string, precondition: Precondition, signal?: AbortSignal): Promise<void>;
  /**
   * Reports all resources and then each change until the signal aborts. It survives every failure
   * of the store: it reports the state and starts again. It does not reject.
   */
  watch(observer: ResourceObserver<T>, signal: AbortSignal): Promise<void>;
}

export interface ListOptions {
  /** The largest number of resources of the page; default 500, 0 for no limit. */
  readonly limit?: number;
  /** `continue` of the page before. */
  readonly continue?: string;
  /** Label selector in the syntax of Kubernetes. */
  readonly labelSelector?: string;
}

export interface ResourcePage<T extends Resource = Resource> {
  readonly items: readonly T[];
  /** The version of the collection that the page shows. */
  readonly resourceVersion: string;
  /** Names the next page; absent on the last one. */
  readonly continue?: string;
  /** The number of resources after this page; absent on the last page and with a selector. */
  readonly remainingItemCount?: number;
}

/** A JSON merge patch: of `metadata.labels`, `metadata.annotations` and `spec`, or of `status`. */
export type MergePatch = Readonly<Record<string, unknown>>;

/** The version that the resource must have. */
export interface Precondition {
  readonly resourceVersion: string;
}

export interface PatchOptions extends Precondition {
  /** `status` patches the status alone, and the generation stays. Without it the status stays. */
  readonly subresource?: 'status';
}

/**
 * Receives what a watch reports, in the order of the versions. After an error of one of its
 * functions the watch starts again.
 */
export interface ResourceObserver<T extends Resource = Resource> {
  /**
   * All resources at one version: at first, and whenever the watch had to start again. The version
   * is smaller than an earlier one only when the store was restored from a backup.
   */
  onReplaced(resources: readonly T[], resourceVersion: string): void;
  /** A resource was created or changed. */
  onChanged(resource: T): void;
  /** A resource was deleted: its last state, with the version of the deletion. */
  onDeleted(resource: T): void;
  /** The watch has another state. */
  onState(state: WatchState): void;
}

/**
 * The state of a watch: up to date; the type of the resources does not exist; the store refuses the
 * service; it does not answer.
 */
export interface WatchState {
  readonly status: 'following' | 'absent' | 'forbidden' | 'unreachable';
  /**
   * Sentences about resources that the store cannot read now, such as a YAML file with an error.
   * Each names the file, the line and the field. The last good state of the resource stays.
   */
  readonly problems: readonly string[];
  /** The failure that led to this state, for the log. */
  readonly cause?: unknown;
}

/** Why a store did not do its work. */
export type ResourceStoreErrorCode =
  | 'not_found'
  | 'already_exists'
  | 'conflict'
  | 'invalid'
  | 'expired'
  | 'invalid_selector'
  | 'rate_limited'
  | 'unavailable';

/** One member of a resource that breaks a rule. */
export interface Violation {
  /** JSON pointer (RFC 6901) into the resource. */
  readonly field: string;
  readonly message: string;
}

/** A resource store did not do its work. */
export class ResourceStoreError extends GatehouseError {
  constructor(
    override readonly code: ResourceStoreErrorCode,
    message: string,
    details: ErrorDetails & { readonly violations?: readonly Violation[] } = {},
  ) {
    super(message, details);
    this.violations = details.violations ?? [];
  }

  /** The members that break a rule, for `invalid`. */
  readonly violations: readonly Violation[];
}
