import type { AIGatewaySpec, AIGatewayStatus, AIPolicySpec, AIPolicyStatus } from './generated/types.ts';

/** The API group and version of AIGateway and AIPolicy. */
export const API_VERSION = 'gatehouse.dev/v1alpha1';

/** The kinds of resources of an AI gateway. */
export type ResourceKind = keyof ResourcesByKind;

/**
 * Metadata of a stored resource, with the meaning that Kubernetes gives it. The store sets all
 * members except `name`, `labels` and `annotations`.
 */
export interface ObjectMeta {
  /** A DNS-1123 subdomain of at most 253 characters; unique for its kind in one namespace. */
  readonly name: string;
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly uid: string;
  /** Changes with each write. Decimal digits; a later write has the greater number. */
  readonly resourceVersion: string;
  /** Counts the changes of `spec`, from 1. */
  readonly generation: number;
  /** RFC 3339, whole seconds, UTC. */
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
}

/** A resource as a store returns it. It is never changed in place. */
export interface Resource<Spec = unknown, Status = unknown> {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: ResourceKind;
  readonly metadata: ObjectMeta;
  readonly spec: Spec;
  readonly status?: Status;
}

/** An AI gateway with its token issuer, its model providers and its routes. */
export interface AIGateway extends Resource<AIGatewaySpec, AIGatewayStatus> {
  readonly kind: 'AIGateway';
}

/** A policy that grants models of an AI gateway to the principals that it matches. */
export interface AIPolicy extends Resource<AIPolicySpec, AIPolicyStatus> {
  readonly kind: 'AIPolicy';
}

/** The type of the resources of each kind. */
export interface ResourcesByKind {
  readonly AIGateway: AIGateway;
  readonly AIPolicy: AIPolicy;
}

/** The members of a new resource that its creator chooses. */
export interface NewResource<Spec = unknown> {
  readonly metadata: Pick<ObjectMeta, 'name' | 'labels' | 'annotations'>;
  readonly spec: Spec;
}
