import type { Condition } from '@gatehouse/ai-resources/generated/types';
import type { Resource } from '@gatehouse/ai-resources/resource';

/** The number of names that the message of a condition has. */
const NAMED = 5;

/** The finding of an examination about one type of condition. */
export type Finding = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** A resource whose status has conditions. */
type ConditionedResource = Resource<unknown, { readonly conditions?: readonly Condition[] }>;

/**
 * Turns findings into the conditions of a resource. The time of a condition changes with its status
 * only. Conditions of other types belong to other programs and stay.
 * @returns the previous conditions when nothing has changed, as a value
 */
export function updateConditions(
  { metadata, status }: ConditionedResource,
  findings: readonly Finding[],
  now: Date,
): Condition[] {
  const previous = status?.conditions ?? [];
  const types = new Set(findings.map(({ type }) => type));
  const conditions = findings.map((finding) => ({
    ...finding,
    lastTransitionTime: findTransitionTime(previous, finding) ?? formatTime(now),
    observedGeneration: metadata.generation,
  }));
  return [...conditions, ...previous.filter(({ type }) => !types.has(type))];
}

const findTransitionTime = (previous: readonly Condition[], { type, status }: Finding): string | undefined =>
  previous.find((condition) => condition.type === type && condition.status === status)?.lastTransitionTime;

/** Formats a time as Kubernetes does: RFC 3339 in whole seconds. */
const formatTime = (time: Date): string => `${time.toISOString().slice(0, -5)}Z`;

/** Joins at most five names, and says how many more there are. */
export function formatNames(names: readonly string[]): string {
  const named = names.slice(0, NAMED).join(', ');
  return names.length <= NAMED ? named : `${named} and ${names.length - NAMED} more`;
}
