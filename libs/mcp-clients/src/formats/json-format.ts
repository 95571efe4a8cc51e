import { parse, parseTree, printParseErrorCode, visit, type Node, type ParseError } from 'jsonc-parser';
import type { ServerEntry } from '../clients/mcp-client.ts';
import { ConfigTextError, getPosition } from '../files/client-file-error.ts';
import type { ConfigFormat } from './config-format.ts';
import { applyEdits, getIndent, getLineBreak, type TextEdit } from './text-edit.ts';

/** JSON with comments and trailing commas, as editors write it. */
export const jsonFormat: ConfigFormat = {
  parse(text) {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const [first] = errors;
    if (first === undefined) return value;
    throw new ConfigTextError(
      `is not valid JSON (${printParseErrorCode(first.error)})`,
      getPosition(text, first.offset),
    );
  },

  put(text, { section }, name, entry) {
    const root = parseRoot(text);
    if (root === undefined) return text + createDocument(text, section, name, entry);
    const found = findProperty(root, section);
    if (found === undefined) return insertProperty(text, root, section, { [name]: entry });
    const servers = getValue(found);
    const existing = findProperty(servers, name);
    if (existing === undefined) return insertProperty(text, servers, name, entry);
    const { offset, length } = getValue(existing);
    const style = createStyle(text, root, existing.offset);
    return applyEdits(text, [{ start: offset, end: offset + length, text: style.print(entry) }]);
  },

  remove(text, { section }, name) {
    const servers = findSection(text, section);
    const property = servers && findProperty(servers, name);
    return servers && property ? removeProperty(text, servers, property) : text;
  },

  getEmptySection(text, { section }) {
    const servers = findSection(text, section);
    return servers ? text.slice(servers.offset, servers.offset + servers.length) : '';
  },

  replaceEmptySection(text, { section }, replacement) {
    const root = parseRoot(text);
    const property = root && findProperty(root, section);
    if (!root || !property) return text;
    if (replacement === undefined) return removeProperty(text, root, property);
    const { offset, length } = getValue(property);
    return applyEdits(text, [{ start: offset, end: offset + length, text: replacement }]);
  },
};

function parseRoot(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
}

function findSection(text: string, section: string): Node | undefined {
  const root = parseRoot(text);
  const property = root && findProperty(root, section);
  return property && getValue(property);
}

/** Finds a property; the last of several with the same key counts, as for every reader. */
function findProperty(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === key);
}

function getValue(property: Node): Node {
  const value = property.children?.[1];
  if (value === undefined) throw new ConfigTextError('has a property without a value');
  return value;
}

/** Creates the document of a text without a value. Its comments precede the document. */
function createDocument(text: string, section: string, name: string, entry: ServerEntry): string {
  const lineBreak = getLineBreak(text);
  const document = JSON.stringify({ [section]: { [name]: entry } }, null, 2).replaceAll('\n', lineBreak);
  return `${text === '' || text.endsWith('\n') ? '' : lineBreak}${document}${lineBreak}`;
}

/** How an object is written: the indentation of its properties, or one line. */
interface Style {
  readonly indent: string;
  /** Prints a value whose first line is already indented. */
  readonly print: (value: unknown) => string;
}

/** Determines the style of the properties of an object from the whole document. */
function createStyle(text: string, root: Node, offset: number, deeper = 0): Style {
  const first = root.children?.[0];
  const lineBreak = getLineBreak(text);
  const unit = (first && isOnOwnLine(text, first.offset) && getIndent(text, first.offset)) || '  ';
  const indent = getIndent(text, offset) + unit.repeat(deeper);
  const print = (value: unknown) => JSON.stringify(value, null, unit).replaceAll('\n', lineBreak + indent);
  return { indent, print };
}

/** Whether only whitespace precedes an offset on its line. */
const isOnOwnLine = (text: string, offset: number): boolean => /(^|\n)[ \t]*$/.test(text.slice(0, offset));

function insertProperty(text: string, object: Node, key: string, value: unknown): string {
  const root = parseRoot(text) ?? object;
  const lineBreak = getLineBreak(text);
  const last = object.children?.at(-1);
  const label = JSON.stringify(key);
  if (last === undefined) {
    const close = object.offset + object.length - 1;
    const style = createStyle(text, root, object.offset, 1);
    const comment = findComments(text, object.offset, close).at(-1);
    const start = comment ?? object.offset + 1;
    const property = `${lineBreak}${style.indent}${label}: ${style.print(value)}`;
    const rest = text.slice(start, close);
    const after = comment !== undefined && rest.includes('\n') ? rest : lineBreak + getIndent(text, object.offset);
    return applyEdits(text, [{ start, end: close, text: property + after }]);
  }
  const end = last.offset + last.length;
  const comma = findCommas(text, end, object.offset + object.length - 1).at(0);
  if (!isOnOwnLine(text, last.offset)) {
    // The object is written in one line.
    const blank = /[\s]/.test(text[object.offset + 1] ?? '') || text.includes(': ') ? ' ' : '';
    const property = `${label}:${blank}${JSON.stringify(value)}`;
    const edit = { start: comma === undefined ? end : comma + 1, end: comma === undefined ? end : comma + 1 };
    return applyEdits(text, [{ ...edit, text: comma === undefined ? `,${blank}${property}` : `${blank}${property},` }]);
  }
  const style = createStyle(text, root, last.offset);
  const property = `${lineBreak}${style.indent}${label}: ${style.print(value)}`;
  const start = skipCommentsOfLine(text, comma === undefined ? end : comma + 1);
  if (comma !== undefined) return applyEdits(text, [{ start, end: start, text: `${property},` }]);
  if (start === end) return applyEdits(text, [{ start, end, text: `,${property}` }]);
  return applyEdits(text, [
    { start: end, end, text: ',' },
    { start, end: start, text: property },
  ]);
}

function removeProperty(text: string, object: Node, property: Node): string {
  const { offset } = property;
  const end = offset + property.length;
  const close = object.offset + object.length - 1;
  const start = text.slice(0, offset).trimEnd().length;
  const comma = findCommas(text, end, close).at(0);
  if (comma !== undefined) return applyEdits(text, [{ start, end: comma + 1, text: '' }]);
  const previous = object.children?.[object.children.indexOf(property) - 1];
  const edits: TextEdit[] = [{ start, end, text: '' }];
  if (previous !== undefined) {
    const separator = findCommas(text, previous.offset + previous.length, offset).at(0);
    if (separator !== undefined) edits.push({ start: separator, end: separator + 1, text: '' });
  }
  // Both edits begin at the comma when no comment is between.
  const [cut, separator] = edits;
  if (cut && separator && separator.end === cut.start)
    return applyEdits(text, [{ start: separator.start, end, text: '' }]);
  return applyEdits(text, edits);
}

/** Returns the offsets of the commas in a range without values. */
function findCommas(text: string, start: number, end: number): number[] {
  const found: number[] = [];
  visit(text, {
    onSeparator: (character, offset) => {
      if (character === ',' && offset >= start && offset < end) found.push(offset);
    },
  });
  return found;
}

/** Returns the ends of the comments in a range. */
function findComments(text: string, start: number, end: number): number[] {
  const found: number[] = [];
  visit(text, {
    onComment: (offset, length) => {
      if (offset >= start && offset < end) found.push(offset + length);
    },
  });
  return found;
}

/** Returns the end of the comments that follow an offset on the same line. */
function skipCommentsOfLine(text: string, offset: number): number {
  const rest = /^(?:[ \t]*\/\*[^\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(text.slice(offset))?.[0] ?? '';
  return offset + rest.length;
}
