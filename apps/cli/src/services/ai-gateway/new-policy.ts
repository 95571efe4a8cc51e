import { UsageError, invalidFlag } from '../../errors/cli-error.ts';
import { isJsonObject } from '../../json/json-object.ts';
import { parseYaml, type YamlText } from '../../yaml/yaml-text.ts';
import { splitPointer } from './field-names.ts';
import type { Policy } from './policies.ts';
import { parseMatcher } from './principal-matchers.ts';
import type { FieldSources } from './violations.ts';

/** A policy, as arguments and flags describe it. */
export interface PolicyFlags {
  readonly name?: string | undefined;
  readonly gateway?: string | undefined;
  readonly description?: string | undefined;
  readonly match?: readonly string[] | undefined;
  readonly grant?: readonly string[] | undefined;
  readonly label?: readonly string[] | undefined;
}

/** A policy to create, and where its fields come from. */
export interface NewPolicy {
  readonly policy: Policy;
  /** Whether the file or the flags name the gateway. */
  readonly hasGateway: boolean;
  readonly sources: FieldSources;
}

/** The name of the one budget that the flags describe. */
const BUDGET_NAME = 'default';

/**
 * Builds a policy from the flags, over the fields of a file. The service validates the fields.
 * @param file the text of a file with a whole AIPolicy, as YAML or JSON
 * @throws UsageError for a file or a flag that cannot be read, and without a name
 */
export function buildPolicy(flags: PolicyFlags, file: string | undefined): NewPolicy {
  const text = file === undefined ? undefined : parseYaml(file);
  const written = text === undefined ? {} : requirePolicy(text);
  const metadata = readObject(written, 'metadata');
  const spec = readObject(written, 'spec');
  const labels = { ...readObject(metadata, 'labels'), ...parseLabels(flags.label) };
  const fromFlags = {
    ...(flags.gateway !== undefined && { gatewayRef: { name: flags.gateway } }),
    ...(flags.description !== undefined && { description: flags.description }),
    ...(flags.match && { principalMatchers: flags.match.map(parseMatcher) }),
    ...(flags.grant && { budgets: [{ name: BUDGET_NAME, models: flags.grant }] }),
  };
  const name = flags.name ?? metadata['name'];
  if (name === undefined) throw new UsageError('Give the name of the AI policy');
  const policy = {
    ...written,
    metadata: { ...metadata, name, ...(Object.keys(labels).length > 0 && { labels }) },
    spec: { ...spec, ...fromFlags },
  };
  // The service checks the fields and names the invalid one.
  return {
    policy: policy as unknown as Policy,
    hasGateway: Object.hasOwn(policy.spec, 'gatewayRef'),
    sources: {
      flags: nameFlags(flags, text !== undefined),
      findLine: text && ((pointer) => text.findLine(splitPointer(pointer))),
    },
  };
}

/** Adds the gateway of the instance to a policy. */
export const withGateway = (policy: Policy, name: string): Policy => ({
  ...policy,
  spec: { ...policy.spec, gatewayRef: { name } },
});

function requirePolicy({ value, problems }: YamlText): Readonly<Record<string, unknown>> {
  const lines = problems.map(({ line, message }) => `  line ${line}: ${message}`);
  if (lines.length > 0) throw new UsageError(`The AI policy is not YAML or JSON:\n${lines.join('\n')}`);
  if (isJsonObject(value)) return value;
  throw new UsageError('The AI policy must be an object with metadata and spec');
}

/** Reads a member that must be an object; an absent one is empty. @throws UsageError */
function readObject(parent: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const value = parent[name];
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return value;
  throw new UsageError(`${name} of the AI policy must be an object`);
}

function parseLabels(labels: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    labels.map((text): [string, string] => {
      const at = text.indexOf('=');
      if (at < 1) throw invalidFlag('--label', `${JSON.stringify(text)} must be KEY=VALUE`, '--label team=support');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/**
 * The flags by the pointers of the fields that they set. Without a file, a missing field needs its
 * flag, so that the flags that were not given are named, too.
 */
function nameFlags(flags: PolicyFlags, hasFile: boolean): Record<string, string> {
  const all: readonly (readonly [keyof PolicyFlags, string, string])[] = [
    ['name', '/metadata/name', 'NAME'],
    ['label', '/metadata/labels', '--label'],
    ['gateway', '/spec/gatewayRef', '--gateway'],
    ['description', '/spec/description', '--description'],
    ['match', '/spec/principalMatchers', '--match'],
    ['grant', '/spec/budgets', '--grant'],
  ];
  const named = all.filter(([name]) => !hasFile || flags[name] !== undefined);
  return Object.fromEntries(named.map(([, field, flag]) => [field, flag]));
}
