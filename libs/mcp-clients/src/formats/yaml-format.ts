import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  stringify,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { ServerEntry } from '../clients/mcp-client.ts';
import { ConfigTextError } from '../files/client-file-error.ts';
import type { ConfigFormat, Place } from './config-format.ts';
import { appendLines, applyEdits, getLineBreak, getLineEnd, getLineStart } from './text-edit.ts';

/** A section with servers: a map, or a list. */
type Servers = YAMLMap<Node, Node | null> | YAMLSeq<Node>;

/**
 * YAML. In the block style, entries are whole lines that are added or cut. The library edits
 * documents in the flow style; it keeps their comments.
 */
export const yamlFormat: ConfigFormat = {
  parse(text) {
    const value: unknown = parseText(text).toJS();
    return value ?? undefined;
  },

  put(text, place, name, entry) {
    const document = parseText(text);
    const pair = findPair(document, place.section);
    const lineBreak = getLineBreak(text);
    const lines = (indent: string, value: unknown) => indentLines(stringify(value, OPTIONS), indent, lineBreak);
    const content = place.shape === 'list' ? [entry] : { [name]: entry };
    if (pair === undefined) {
      if (document.contents !== null && (!isMap(document.contents) || document.contents.flow))
        return edit(document, place, name, entry);
      return appendLines(text, lines('', { [place.section]: content }), lineBreak);
    }
    const servers = pair.value;
    if (isImplicitNull(servers)) {
      const end = getLineEnd(text, getEnd(pair.key));
      return applyEdits(text, [{ start: end, end, text: lineBreak + lines('  ', content) }]);
    }
    if (!isServers(servers)) throw new ConfigTextError(`has no ${place.shape} at ${place.section}`);
    if (findItem(servers, name) !== undefined) return edit(document, place, name, entry);
    if (servers.flow) return putInFlow(text, servers, content) ?? edit(document, place, name, entry);
    const indent = text.slice(getLineStart(text, getItemStart(text, servers, 0)), getItemStart(text, servers, 0));
    const end = getItemEnd(text, servers, servers.items.length - 1);
    return applyEdits(text, [{ start: end, end, text: lineBreak + lines(indent, content) }]);
  },

  remove(text, place, name) {
    const document = parseText(text);
    const servers = findPair(document, place.section)?.value;
    if (!isServers(servers)) return text;
    const index = findItem(servers, name);
    if (index === undefined) return text;
    if (!servers.flow) {
      const start = getLineStart(text, getItemStart(text, servers, index));
      const end = getItemEnd(text, servers, index);
      const isWhole = text.slice(start, getItemStart(text, servers, index)).trim() === '';
      if (isWhole && start > 0) return text.slice(0, start).replace(/\r?\n$/, '') + text.slice(end);
    }
    if (servers.flow) return removeFromFlow(text, servers, index);
    servers.items.splice(index, 1);
    return document.toString(OPTIONS);
  },

  getEmptySection(text, place) {
    const servers = findPair(parseText(text), place.section)?.value;
    const [start, end] = servers?.range ?? [0, 0];
    return text.slice(start, end);
  },

  replaceEmptySection(text, place, replacement) {
    const document = parseText(text);
    const pair = findPair(document, place.section);
    if (pair === undefined) return text;
    if (replacement === undefined) {
      const start = getLineStart(text, getStart(pair.key));
      const end = getLineEnd(text, getEnd(pair.key));
      return isImplicitNull(pair.value) ? text.slice(0, start).replace(/\r?\n$/, '') + text.slice(end) : text;
    }
    const [start, end] = pair.value?.range ?? [0, 0];
    return applyEdits(text, [{ start, end, text: replacement }]);
  },
};

const OPTIONS = { lineWidth: 0 } as const;

function parseText(text: string): Document.Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error === undefined) return document;
  const { line, col } = lines.linePos(error.pos[0]);
  throw new ConfigTextError('is not valid YAML', { line, column: col });
}

function findPair(document: Document.Parsed, key: string): Pair<Node, Node | null> | undefined {
  if (!isMap(document.contents)) return undefined;
  return (document.contents as YAMLMap<Node, Node | null>).items.find(
    (pair) => isScalar(pair.key) && pair.key.value === key,
  );
}

const isServers = (value: unknown): value is Servers => isMap(value) || isSeq(value);

/** Whether a value is absent, as in `key:`. */
const isImplicitNull = (value: Node | null): boolean =>
  value === null || (isScalar(value) && value.value === null && value.source === '');

function findItem(servers: Servers, name: string): number | undefined {
  const index = isMap(servers)
    ? servers.items.findIndex(({ key }) => isScalar(key) && key.value === name)
    : servers.items.findIndex((item) => isMap(item) && item.get('name') === name);
  return index === -1 ? undefined : index;
}

/** Sets an entry with the library. */
function edit(document: Document.Parsed, { section, shape }: Place, name: string, entry: ServerEntry): string {
  if (shape === 'map') document.setIn([section, name], document.createNode(entry));
  else {
    const servers = findPair(document, section)?.value;
    const index = isServers(servers) ? findItem(servers, name) : undefined;
    if (index !== undefined) document.setIn([section, index], document.createNode(entry));
    else document.addIn([section], document.createNode(isServers(servers) ? entry : [entry]));
  }
  return document.toString(OPTIONS);
}

/** Adds an entry in the flow style; undefined when a comma or a comment follows the last entry. */
function putInFlow(text: string, servers: Servers, content: object): string | undefined {
  const [start, close] = servers.range ?? [0, 0];
  if (servers.items.length === 0) return applyEdits(text, [{ start, end: close, text: JSON.stringify(content) }]);
  const end = getItem(servers, servers.items.length - 1).end;
  if (text.slice(end, close - 1).trim() !== '') return undefined;
  return applyEdits(text, [{ start: end, end, text: `, ${JSON.stringify(content).slice(1, -1)}` }]);
}

/** Removes an entry in the flow style, with the comma before it, or else after it. */
function removeFromFlow(text: string, servers: Servers, index: number): string {
  const { start, end } = getItem(servers, index);
  if (index > 0) return applyEdits(text, [{ start: getItem(servers, index - 1).end, end, text: '' }]);
  const next = servers.items.length > 1 ? getItem(servers, 1).start : end;
  return applyEdits(text, [{ start, end: next, text: '' }]);
}

/** Returns the range of an item, without the hyphen of a list. */
function getItem(servers: Servers, index: number): { start: number; end: number } {
  const item = servers.items[index];
  if (!isMap(servers)) return { start: getStart(item as Node), end: getEnd(item as Node) };
  const { key, value } = item as Pair<Node, Node | null>;
  return { start: getStart(key), end: getEnd(value ?? key) };
}

const getStart = (node: Node): number => node.range?.[0] ?? 0;
const getEnd = (node: Node): number => node.range?.[1] ?? 0;

/** Returns the start of the key of an item, or of its hyphen. */
function getItemStart(text: string, servers: Servers, index: number): number {
  const { start } = getItem(servers, index);
  return isMap(servers) ? start : text.lastIndexOf('-', start - 1);
}

/** Returns the end of the last line of an item, before its line break. */
function getItemEnd(text: string, servers: Servers, index: number): number {
  const content = text.slice(0, getItem(servers, index).end).trimEnd().length;
  return getLineEnd(text, content);
}

/** Indents the lines of a printed value, without its last line break. */
const indentLines = (printed: string, indent: string, lineBreak: string): string =>
  printed
    .trimEnd()
    .split('\n')
    .map((line) => indent + line)
    .join(lineBreak);
