import { Document, isScalar, isMap } from 'yaml';
import { isJsonObject } from '../../../json/json-object.ts';
import { formatYaml, parseYaml, type YamlText } from '../../../yaml/yaml-text.ts';
import type { TextProblem } from '../../edit/text-problems.ts';
import { splitPointer } from '../field-names.ts';
import type { Policy } from '../policies.ts';

/** The fields of `spec` that can be edited. */
export const EDITABLE = ['description', 'principalMatchers', 'mcpPolicy'] as const;

/** Some fields of `spec` of a policy. */
export type SpecFields = Readonly<Record<string, unknown>>;

/** The fields of a policy that can be edited. */
export function selectEditable(policy: Policy): SpecFields {
  const spec: SpecFields = policy.spec;
  return Object.fromEntries(EDITABLE.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]]));
}

/**
 * Writes the text that a person edits: the editable fields as YAML, below comments with the rest of
 * the policy.
 * @param fields the values of the editable fields
 * @param others by field, another value for a comment above it
 */
export function writePolicyText(policy: Policy, fields: SpecFields, others: SpecFields = {}): string {
  const { metadata: { name = '', resourceVersion } = {}, spec } = policy;
  const { gatewayRef, budgets = [] } = spec;
  const fixed = formatYaml({ resourceVersion, gatewayRef, budgets }).trimEnd();
  const document = new Document(fields, { aliasDuplicateObjects: false });
  document.commentBefore = [
    ` AIPolicy ${name}. Save and close the editor to change the policy.`,
    ` Lines that begin with # are ignored. An empty file changes nothing.`,
    ` You can edit ${EDITABLE.join(', ')}. This part cannot be edited:`,
    ...fixed.split('\n').map((line) => `   ${line}`),
  ].join('\n');
  addOtherValues(document, others);
  return document.toString({ lineWidth: 0 });
}

/** Puts each value into a comment above its field, or at the end where the field is absent. */
function addOtherValues(document: Document, others: SpecFields): void {
  for (const [name, value] of Object.entries(others)) {
    const comment = describeOtherValue(name, value);
    const pair = isMap(document.contents)
      ? document.contents.items.find(({ key }) => isScalar(key) && key.value === name)
      : undefined;
    if (isScalar(pair?.key)) pair.key.commentBefore = comment;
    else document.comment = [document.comment, comment].filter(Boolean).join('\n');
  }
}

function describeOtherValue(name: string, value: unknown): string {
  if (value === undefined) return ` In the meantime, ${name} was removed.`;
  const lines = formatYaml({ [name]: value })
    .trimEnd()
    .split('\n');
  return [` In the meantime, ${name} was changed to:`, ...lines.map((line) => `   ${line}`)].join('\n');
}

/** A text that a person edited. */
export type EditedText =
  | { readonly kind: 'empty' }
  | { readonly kind: 'broken'; readonly problems: readonly TextProblem[] }
  | {
      readonly kind: 'fields';
      readonly fields: SpecFields;
      /** The version of the policy that the text was made from, if it names one. */
      readonly resourceVersion: string | undefined;
      /** Finds the line of a field. @param pointer JSON pointer, such as `/spec/description` */
      readonly findLine: (pointer: string) => number | undefined;
    };

/**
 * Parses an edited text: the editable fields, or a whole AIPolicy with all its fields. It can
 * contain any field; the service refuses those that cannot be patched.
 */
export function parsePolicyText(text: string): EditedText {
  const parsed = parseYaml(text);
  const { value, problems } = parsed;
  if (problems.length > 0) return { kind: 'broken', problems };
  if (value === null || value === undefined) return { kind: 'empty' };
  if (!isJsonObject(value)) return broken(parsed, [], `must be an object with ${EDITABLE.join(', ')}`);
  const isWhole = Object.hasOwn(value, 'spec');
  const fields = isWhole ? value['spec'] : value;
  if (!isJsonObject(fields)) return broken(parsed, ['spec'], 'spec must be an object');
  const metadata = isWhole && isJsonObject(value['metadata']) ? value['metadata'] : {};
  const version = metadata['resourceVersion'];
  return {
    kind: 'fields',
    fields,
    resourceVersion: typeof version === 'string' ? version : undefined,
    findLine: (pointer) => parsed.findLine(isWhole ? splitPointer(pointer) : splitPointer(pointer).slice(1)),
  };
}

const broken = (parsed: YamlText, path: readonly string[], message: string): EditedText => ({
  kind: 'broken',
  problems: [{ line: parsed.findLine(path), message }],
});
