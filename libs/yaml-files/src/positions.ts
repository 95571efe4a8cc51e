import { type Document, isCollection, isMap, isNode, isScalar, isSeq, type LineCounter, type Node, visit } from 'yaml';
import type { TextPosition } from './file-problem.ts';

/** The path of a value in a document: names of members and indexes of items. */
export type ValuePath = readonly (string | number)[];

/** Returns where a value begins. A missing value has the place of the value that lacks it. */
export function findPosition(document: Document, path: ValuePath, lines: LineCounter): TextPosition | undefined {
  let node: unknown = document.contents;
  let start = getStart(node);
  for (const step of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => readKey(key) === step) : undefined;
    node = isSeq(node) ? node.items[Number(step)] : pair?.value;
    start = getStart(pair?.key) ?? getStart(node) ?? start;
    if (!isCollection(node)) break;
  }
  return start === undefined ? undefined : getLinePosition(start, lines);
}

export function getLinePosition(offset: number, lines: LineCounter): TextPosition {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

/** A key that no JSON object can have. */
interface BadKey {
  readonly path: ValuePath;
  readonly offset: number;
  readonly reason: string;
}

/** Returns a key that its map has twice, or that is itself a map or a list. */
export function findBadKey(document: Document): BadKey | undefined {
  let found: BadKey | undefined;
  visit(document, {
    Map: (_, map) => {
      const keys = new Set<string>();
      for (const { key } of map.items) {
        const offset = getStart(key) ?? 0;
        const isRepeated = keys.size === keys.add(readKey(key)).size;
        if (!isRepeated && isScalar(key)) continue;
        const reason = isScalar(key) ? 'stands twice' : 'is a map or a list';
        found = { path: findPathAt(document, offset), offset, reason };
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return found;
}

/** Returns the path of the innermost value that begins at or before an offset of the text. */
export function findPathAt(document: Document, offset: number): ValuePath {
  const path: (string | number)[] = [];
  const isBefore = (node: unknown): boolean => (getStart(node) ?? Number.POSITIVE_INFINITY) <= offset;
  for (let node: unknown = document.contents; isCollection(node);) {
    if (isMap(node)) {
      const pair = node.items.findLast(({ key }) => isBefore(key));
      if (pair === undefined) break;
      path.push(readKey(pair.key));
      node = pair.value;
    } else {
      const at = node.items.findLastIndex(isBefore);
      if (at === -1) break;
      path.push(at);
      node = node.items[at];
    }
  }
  return path;
}

/** A key that is a map or a list has no name: such a document is no resource. */
const readKey = (key: unknown): string => (isScalar(key) ? String(key.value) : '');
const getStart = (node: unknown): number | undefined => (isNode(node) ? (node as Node).range?.[0] : undefined);
