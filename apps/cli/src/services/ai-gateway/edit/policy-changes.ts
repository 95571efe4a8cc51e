import { isDeepStrictEqual } from 'node:util';
import { createTwoFilesPatch, OMIT_HEADERS } from 'diff';
import { createMergePatch } from '../../../json/merge-patch.ts';
import { formatYaml } from '../../../yaml/yaml-text.ts';
import type { Policy } from '../policies.ts';
import { EDITABLE, selectEditable, type SpecFields } from './policy-text.ts';

/**
 * Creates the merge patch (RFC 7396) that gives a policy the fields of an edited text. An editable
 * field that the text omits is removed; any other field that it omits stays.
 */
export function createSpecPatch(policy: Policy, fields: SpecFields): Record<string, unknown> {
  const spec: SpecFields = policy.spec;
  const kept = Object.keys(spec).filter((name) => !isEditable(name) && !Object.hasOwn(fields, name));
  return createMergePatch(spec, { ...Object.fromEntries(kept.map((name) => [name, spec[name]])), ...fields });
}

/**
 * Applies a person's changes to a policy that others changed in the meantime: a field that the
 * person changed has the person's value, any other field the present one.
 * @param base the policy that the person began with
 * @param fields the fields of the person's text
 */
export function rebaseFields(base: Policy, fields: SpecFields, present: Policy): SpecFields {
  const [before, now] = [selectEditable(base), selectEditable(present)];
  const names = new Set([...EDITABLE, ...Object.keys(fields)]);
  return Object.fromEntries(
    [...names]
      .map((name) => [name, isDeepStrictEqual(before[name], fields[name]) ? now[name] : fields[name]] as const)
      .filter(([, value]) => value !== undefined),
  );
}

/** The present values of the fields that the person and others changed differently. */
export function findClashes(base: Policy, fields: SpecFields, present: Policy): SpecFields {
  const [before, now] = [selectEditable(base), selectEditable(present)];
  const clashes = EDITABLE.filter(
    (name) =>
      !isDeepStrictEqual(before[name], fields[name]) &&
      !isDeepStrictEqual(before[name], now[name]) &&
      !isDeepStrictEqual(fields[name], now[name]),
  );
  return Object.fromEntries(clashes.map((name) => [name, now[name]]));
}

/** Whether two states of a policy differ only in what the service itself writes, as the status. */
export const hasSameContent = (a: Policy, b: Policy): boolean =>
  a.metadata?.uid === b.metadata?.uid && isDeepStrictEqual(selectContent(a), selectContent(b));

/** The changes of others and of the person, as unified diffs of YAML. */
export function formatConflict(base: Policy, fields: SpecFields, present: Policy): string {
  const others = formatDiff(selectContent(base), selectContent(present));
  const own = formatDiff(selectEditable(base), fields);
  const recreated = base.metadata?.uid === present.metadata?.uid ? '' : ' (it was deleted and created again)';
  return [
    `What others changed in the meantime${recreated}:`,
    others === '' ? '  (nothing that a policy contains)' : others,
    'What you changed:',
    own,
  ].join('\n');
}

const isEditable = (name: string): boolean => (EDITABLE as readonly string[]).includes(name);

/** The members of a policy that a person writes. */
const selectContent = ({ metadata, spec }: Policy): object => ({
  metadata: { labels: metadata?.labels, annotations: metadata?.annotations },
  spec,
});

/** A unified diff of two values as YAML, without the names of files; empty for equal values. */
function formatDiff(before: object, after: object): string {
  const [old, next] = [formatYaml(before), formatYaml(after)];
  if (old === next) return '';
  return createTwoFilesPatch('', '', old, next, undefined, undefined, { headerOptions: OMIT_HEADERS }).trimEnd();
}
