import { Document, isMap, isNode, isSeq, type ToStringOptions } from 'yaml';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../merge-patch.ts';
import type { Candidate } from '../rules.ts';
import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import { decodeText } from '@gatehouse/yaml-files/file-text';
import { parseResourceText, type ResourceText } from './resource-text.ts';

/** The members of a resource that its file holds. */
export interface FileContent {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: unknown;
}

/** Returns whether a parsed file has the resource that should be stored. */
export type ResourceCheck = (candidate: Candidate) => boolean;

const BYTE_ORDER_MARK = '\uFEFF';
const WRITE_OPTIONS = { lineWidth: 0, aliasDuplicateObjects: false } as const;

/** Writes the text of a new file. @throws FileProblemError when YAML cannot hold the resource */
export function writeResourceText(resource: FileContent, namespace: string, isStored: ResourceCheck): Buffer {
  const document = new Document(resource, WRITE_OPTIONS);
  return checkText(document.toString(WRITE_OPTIONS), namespace, isStored);
}

/**
 * Changes the text of a file so that it holds another state of its resource. Comments, the order of
 * members, quotes, the width of indents, line ends and a byte order mark stay. Where aliases make
 * that impossible, the changed part or the whole document is written anew.
 * @param parsed the text as `parseResourceText` returns it; its document is changed
 * @param forms of the same resource in order of preference, such as without and with its defaults
 * @throws FileProblemError when YAML cannot hold the resource
 */
export function editResourceText(
  text: string,
  parsed: ResourceText,
  forms: readonly [FileContent, ...FileContent[]],
  namespace: string,
  isStored: ResourceCheck,
): Buffer {
  let failure: unknown;
  let unchanged: Document | undefined = parsed.document;
  for (const resource of forms)
    for (const edit of [editMembers, replaceMembers, replaceDocument]) {
      try {
        const document: Document = unchanged ?? parseResourceText(text, namespace).document;
        unchanged = undefined;
        return checkText(edit(document, text, resource), namespace, isStored);
      } catch (error) {
        failure = error;
      }
    }
  throw failure;
}

/** The bytes of a text. A check of what they decode to also finds texts that UTF-8 cannot hold. */
function checkText(text: string, namespace: string, isStored: ResourceCheck): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const { candidate } = parseResourceText(decodeText(bytes), namespace);
  if (!isStored(candidate)) throw new FileProblemError('cannot hold the resource in YAML');
  return bytes;
}

function editMembers(document: Document, text: string, resource: FileContent): string {
  const style = findStyle(document, text);
  const before = document.toJS() as { metadata: Record<string, unknown>; spec?: unknown };
  for (const member of ['labels', 'annotations'])
    editValue(document, ['metadata', member], before.metadata[member], resource.metadata[member]);
  editValue(document, ['spec'], before.spec, resource.spec);
  return writeText(document, style);
}

function replaceMembers(document: Document, text: string, resource: FileContent): string {
  const style = findStyle(document, text);
  for (const member of ['labels', 'annotations']) setValue(document, ['metadata', member], resource.metadata[member]);
  setValue(document, ['spec'], resource.spec);
  return writeText(document, style);
}

function replaceDocument(document: Document, text: string, resource: FileContent): string {
  return writeText(new Document(resource, WRITE_OPTIONS), findStyle(document, text));
}

/** Changes the members and items of a value that differ, so that the others keep their comments. */
function editValue(document: Document, path: readonly (string | number)[], before: unknown, after: unknown): void {
  if (isDeepStrictEqual(before, after)) return;
  if (isJsonObject(before) && isJsonObject(after) && isMap(document.getIn(path, true))) {
    for (const member of new Set([...Object.keys(before), ...Object.keys(after)]))
      editValue(document, [...path, member], getOwn(before, member), getOwn(after, member));
  } else if (Array.isArray(before) && Array.isArray(after) && isSeq(document.getIn(path, true))) {
    for (let at = Math.max(before.length, after.length) - 1; at >= 0; at -= 1)
      if (at >= after.length) document.deleteIn([...path, at]);
      else if (at < before.length) editValue(document, [...path, at], before[at], after[at]);
    for (const item of after.slice(before.length)) document.addIn(path, document.createNode(item, WRITE_OPTIONS));
  } else setValue(document, path, after);
}

/** Sets a value, and keeps the comments of the value before. */
function setValue(document: Document, path: readonly (string | number)[], value: unknown): void {
  if (value === undefined) document.deleteIn(path);
  else if (typeof value !== 'object' || value === null) document.setIn(path, value);
  else {
    const before: unknown = document.getIn(path, true);
    const node = document.createNode(value, WRITE_OPTIONS);
    if (isNode(before)) {
      const { comment, commentBefore, spaceBefore } = before;
      Object.assign(node, { comment, commentBefore, spaceBefore });
    }
    document.setIn(path, node);
  }
}

const getOwn = (value: Readonly<Record<string, unknown>>, member: string): unknown =>
  Object.hasOwn(value, member) ? value[member] : undefined;

/** How a text is written. */
interface TextStyle {
  readonly options: Pick<ToStringOptions, 'indent' | 'indentSeq'>;
  readonly hasCarriageReturns: boolean;
  readonly hasByteOrderMark: boolean;
}

/** Reads from the first nested map and the first list how a text indents them. */
function findStyle(document: Document, text: string): TextStyle {
  const getColumn = (node: unknown): number => {
    const start = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    return start - text.lastIndexOf('\n', start - 1) - 1;
  };
  const metadata = document.get('metadata', true);
  const indent = isMap(metadata) && metadata.flow !== true ? getColumn(metadata.items[0]?.key) : 0;
  const spec = document.get('spec', true);
  const list = isMap(spec) ? spec.items.find(({ value }) => isSeq(value) && value.flow !== true) : undefined;
  return {
    options: {
      ...(indent > 0 && indent <= 8 && { indent }),
      ...(list !== undefined && { indentSeq: getColumn(list.value) > getColumn(list.key) }),
    },
    hasCarriageReturns: text.includes('\r\n'),
    hasByteOrderMark: text.startsWith(BYTE_ORDER_MARK),
  };
}

function writeText(document: Document, { options, hasCarriageReturns, hasByteOrderMark }: TextStyle): string {
  const text = document.toString({ ...WRITE_OPTIONS, ...options });
  const lines = hasCarriageReturns ? text.replaceAll('\n', '\r\n') : text;
  return hasByteOrderMark ? `${BYTE_ORDER_MARK}${lines}` : lines;
}
