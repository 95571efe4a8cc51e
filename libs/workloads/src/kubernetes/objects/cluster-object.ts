import type { RunConfig } from '../../configuration/run-config.ts';
import { getObjectNames } from '../object-names.ts';

/** An object of a workload in a cluster. */
export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [member: string]: unknown;
}

/** The label of all objects of one creation of a workload. Its value is used once. */
export const INSTANCE_LABEL = 'gatehouse.dev/instance';
/** The label with the id of the home, which has the state of the workload. */
export const HOME_LABEL = 'gatehouse.dev/home';
/** The label with the name of the workload. */
export const WORKLOAD_LABEL = 'gatehouse.dev/workload';
/** The label of pods: the server, or the proxy. */
export const COMPONENT_LABEL = 'gatehouse.dev/component';
/** The parts of a workload that are pods. */
export type Component = 'server' | 'proxy';

/** The parts from which the objects of a workload are made. */
export interface ObjectParts {
  readonly config: RunConfig;
  readonly namespace: string;
  /** Undefined for objects that no home manages. */
  readonly homeId: string | undefined;
  /** See {@link INSTANCE_LABEL}. */
  readonly instance: string;
}

/** Returns the labels of every object of a workload. Those of the user come first. */
export const createObjectLabels = (parts: ObjectParts): Record<string, string> => ({
  ...parts.config.container_labels,
  'app.kubernetes.io/name': parts.config.name,
  ...createOwnLabels(parts),
});

/**
 * Returns the labels of a pod. They have neither labels of the user nor common ones: the selector
 * of a foreign Service or NetworkPolicy would select the pod by them.
 */
export const createPodLabels = (parts: ObjectParts, component: Component): Record<string, string> => ({
  ...createOwnLabels(parts),
  [COMPONENT_LABEL]: component,
});

const createOwnLabels = ({ config, homeId, instance }: ObjectParts): Record<string, string> => ({
  'app.kubernetes.io/managed-by': 'gatehouse',
  ...(homeId !== undefined && { [HOME_LABEL]: homeId }),
  [WORKLOAD_LABEL]: config.name,
  [INSTANCE_LABEL]: instance,
});

/** Returns the labels that select the pods of a component. They never change. */
export const createPodSelector = ({ instance }: Pick<ObjectParts, 'instance'>, component: Component) => ({
  [INSTANCE_LABEL]: instance,
  [COMPONENT_LABEL]: component,
});

/** Returns the names of the objects of a workload. */
export const getNames = ({ config }: Pick<ObjectParts, 'config'>) => getObjectNames(config.name);

/**
 * Escapes a text for `args` and `env` of a container, where Kubernetes replaces `$(NAME)` by a
 * variable, and `$$` by `$`.
 */
export const escapeVariables = (text: string): string => text.replaceAll('$', () => '$$');
