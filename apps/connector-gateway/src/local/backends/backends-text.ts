import { type SchemaIssue, UNKNOWN_FIELD } from '@gatehouse/service-kit/sentences';
import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import { parseYamlText, type YamlText } from '@gatehouse/yaml-files/yaml-text';
import { isScalar } from 'yaml';
import { type Backends, backendsSchema } from './backends-schema.ts';

type FieldPath = readonly (string | number)[];

/** A backends file that keeps the rules of its schema. */
export interface BackendsText {
  readonly backends: Backends;
  /**
   * The problem of a field that breaks a further rule.
   * @param line of the text of the field, counted from 1, if the problem is within it
   */
  readonly createProblem: (path: FieldPath, message: string, line?: number) => FileProblemError;
}

/**
 * Parses the text of a backends file.
 * @throws FileProblemError with the place of the first problem, the field and the name of its
 * backend
 */
export function parseBackendsText(text: string): BackendsText {
  const yaml = parseYamlText(text, formatPath);
  const createProblem = (path: FieldPath, message: string, line = 0, more = 0): FileProblemError => {
    const name = findName(yaml.value, path);
    const owner = name === undefined ? '' : ` (backend ${name})`;
    const others = more === 0 ? '' : ` (and ${more} more)`;
    const position = findLine(yaml, path, line);
    return new FileProblemError(`breaks a rule: ${formatPath(path) || 'it'}${owner} ${message}${others}`, position);
  };
  const { success, error, data } = backendsSchema.safeParse(yaml.value);
  if (success) return { backends: data, createProblem };
  const [first] = error.issues;
  const { path, message } = readIssue(first as SchemaIssue);
  throw createProblem(path, message, 0, error.issues.length - 1);
}

/** An unknown field is named itself, not the object that has it. */
function readIssue(issue: SchemaIssue): { path: FieldPath; message: string } {
  const path = (issue.path ?? []) as FieldPath;
  const [unknown] = issue.keys ?? [];
  return unknown === undefined
    ? { path, message: issue.message }
    : { path: [...path, unknown], message: UNKNOWN_FIELD };
}

/** Writes a path as `backends[1].auth.type`. */
function formatPath(path: FieldPath): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${show(step)}`))
    .join('');
}

const MAX_SHOWN = 100;
const show = (name: string): string => name.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_SHOWN);

function findName(value: unknown, path: FieldPath): string | undefined {
  if (path[0] !== 'backends' || typeof path[1] !== 'number') return undefined;
  const { backends } = value as { backends?: unknown };
  const backend: unknown = Array.isArray(backends) ? backends[path[1]] : undefined;
  const name: unknown = Reflect.get(Object(backend) as object, 'name');
  return typeof name === 'string' ? show(name) : undefined;
}

/** The lines of a literal block (`|`) follow the line of its field. */
function findLine(yaml: YamlText, path: FieldPath, line: number) {
  const position = yaml.findPosition(path);
  if (position === undefined || line === 0) return position;
  const node = yaml.document.getIn(path, true);
  const isLiteral = isScalar(node) && node.type === 'BLOCK_LITERAL';
  return isLiteral ? { line: position.line + line, column: 1 } : position;
}
