import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import { parseYamlText } from '@gatehouse/yaml-files/yaml-text';
import type { Document } from 'yaml';
import { API_VERSION, type ResourceKind } from '../../resource.ts';
import type { Violation } from '../../resource-store.ts';
import { isResourceName, METADATA_SCHEMA } from '../../validation/metadata-schema.ts';
import { escapeSegment, formatPointer, splitPointer } from '../../json-pointer.ts';
import { isJsonObject } from '../../merge-patch.ts';
import type { Candidate } from '../rules.ts';

const KINDS: readonly unknown[] = ['AIGateway', 'AIPolicy'] satisfies ResourceKind[];
const MEMBERS = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
/** They include those that a server sets: a file that was copied from a cluster has them. */
const METADATA_MEMBERS = Object.keys(METADATA_SCHEMA.properties ?? {});

/** A YAML document that holds one resource. */
export interface ResourceText {
  readonly document: Document.Parsed;
  /** The resource that the document describes, without the members that the server sets. */
  readonly candidate: Candidate;
  /** Returns the problem of the first broken rule, with its place in the text. */
  createProblem(violations: readonly Violation[]): FileProblemError;
}

/**
 * Parses the text of a resource file, with or without a byte order mark.
 * @param namespace of the store. A document without a namespace belongs to it.
 * @throws FileProblemError
 */
export function parseResourceText(text: string, namespace: string): ResourceText {
  const { document, value, findPosition } = parseYamlText(text, formatPointer);
  const createProblem = (violations: readonly Violation[]): FileProblemError => {
    const [first = { field: '', message: 'is invalid' }, ...others] = violations;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return new FileProblemError(
      `breaks a rule: ${first.field || 'the document'} ${first.message}${more}`,
      findPosition(splitPointer(first.field)),
    );
  };
  const violations = findEnvelopeViolations(value, namespace);
  if (violations.length > 0) throw createProblem(violations);
  const { kind, metadata, spec } = value as Readonly<Record<string, unknown>>;
  const { name, labels, annotations } = metadata as Readonly<Record<string, unknown>>;
  const candidate: Candidate = {
    apiVersion: API_VERSION,
    kind: kind as ResourceKind,
    metadata: {
      name: name as string,
      namespace,
      ...(labels != null && { labels }),
      ...(annotations != null && { annotations }),
    },
    spec,
  };
  return { document, candidate, createProblem };
}

function findEnvelopeViolations(value: unknown, namespace: string): Violation[] {
  if (!isJsonObject(value))
    return [{ field: '', message: 'must be an object with apiVersion, kind, metadata and spec' }];
  const { apiVersion, kind, metadata } = value;
  if (apiVersion !== API_VERSION) return [{ field: '/apiVersion', message: `must be ${API_VERSION}` }];
  if (!KINDS.includes(kind)) return [{ field: '/kind', message: `must be one of ${KINDS.join(', ')}` }];
  if (!isJsonObject(metadata)) return [{ field: '/metadata', message: 'must be an object with a name' }];
  const violations = [
    ...findUnknownMembers(value, '', MEMBERS),
    ...findUnknownMembers(metadata, '/metadata', METADATA_MEMBERS),
    ...findNonJson(value['spec'], '/spec'),
    ...findNonJson(metadata['labels'], '/metadata/labels'),
    ...findNonJson(metadata['annotations'], '/metadata/annotations'),
  ];
  if (typeof metadata['name'] !== 'string' || !isResourceName(metadata['name']))
    violations.unshift({ field: '/metadata/name', message: 'must be a DNS-1123 subdomain, such as my-policy' });
  if (metadata['namespace'] != null && metadata['namespace'] !== namespace)
    violations.push({
      field: '/metadata/namespace',
      message: `must be ${namespace}, the namespace of this store, or be left out`,
    });
  return violations;
}

const findUnknownMembers = (
  value: Readonly<Record<string, unknown>>,
  path: string,
  known: readonly string[],
): Violation[] =>
  Object.keys(value)
    .filter((member) => !known.includes(member))
    .map((member) => ({ field: `${path}/${escapeSegment(member)}`, message: 'is not a known field' }));

/** Finds values that YAML has and JSON has not, such as `.nan`, timestamps and sets. */
function findNonJson(value: unknown, path: string): Violation[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => findNonJson(item, `${path}/${at}`));
  if (typeof value === 'number' && !Number.isFinite(value))
    return [{ field: path, message: 'must be a finite number' }];
  if (typeof value === 'bigint') return [{ field: path, message: 'must be a smaller number' }];
  if (typeof value !== 'object' || value === null) return [];
  if (Object.getPrototypeOf(value) !== Object.prototype)
    return [{ field: path, message: 'must be a value that JSON has' }];
  return Object.entries(value).flatMap(([member, item]) => findNonJson(item, `${path}/${escapeSegment(member)}`));
}
