import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Pair, stringify } from 'yaml';

/** A rule of YAML that a text breaks. */
export interface YamlProblem {
  readonly line: number;
  readonly message: string;
}

/** A parsed text of YAML or JSON. */
export interface YamlText {
  /** Its value; undefined with problems. */
  readonly value: unknown;
  readonly problems: readonly YamlProblem[];
  /**
   * Finds the line of a member, counted from 1. A member that is absent has the line of the
   * innermost member around it.
   */
  findLine(path: readonly string[]): number | undefined;
}

/** The largest number of values that aliases of a text may repeat. */
const MAX_ALIASES = 100;

/** Parses a text with one document of YAML 1.2, which JSON is too. */
export function parseYaml(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const toProblem = ({ pos, message }: { pos: readonly [number, number]; message: string }): YamlProblem => ({
    line: lines.linePos(pos[0]).line,
    message: message.replace(/; please use .*$/, ''),
  });
  const findLine = (path: readonly string[]): number | undefined => {
    const offset = findOffset(document.contents, path);
    return offset === undefined ? undefined : lines.linePos(offset).line;
  };
  const problems = document.errors.map(toProblem);
  if (problems.length > 0) return { value: undefined, problems, findLine };
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }), problems, findLine };
  } catch (error) {
    // The error of an unknown alias, or of aliases that repeat too much.
    return { value: undefined, problems: [{ line: 1, message: (error as Error).message }], findLine };
  }
}

/** Writes a value as YAML. Each value is in full, without aliases. */
export const formatYaml = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

function findOffset(root: unknown, path: readonly string[]): number | undefined {
  let node = root;
  let offset = isNode(root) ? root.range?.[0] : undefined;
  for (const part of path) {
    const member = findMember(node, part);
    if (member === undefined) break;
    offset = member.offset ?? offset;
    node = member.value;
  }
  return offset;
}

function findMember(node: unknown, part: string): { offset: number | undefined; value: unknown } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }: Pair) => (isScalar(key) ? String(key.value) : undefined) === part);
    return pair && { offset: isNode(pair.key) ? pair.key.range?.[0] : undefined, value: pair.value };
  }
  const item = isSeq(node) && /^\d+$/.test(part) ? node.items[Number(part)] : undefined;
  return isNode(item) ? { offset: item.range?.[0], value: item } : undefined;
}
