import { parse, patch, stringify } from '@decimalturn/toml-patch';
import type { ServerEntry } from '../clients/mcp-client.ts';
import { ConfigTextError } from '../files/client-file-error.ts';
import type { ConfigFormat, Place } from './config-format.ts';
import { appendLines, getLineBreak } from './text-edit.ts';

type Table = Record<string, unknown>;

/**
 * TOML. A new server is a table at the end of the file, as clients write it; other edits are those
 * of the library, which keeps the layout.
 */
export const tomlFormat: ConfigFormat = {
  parse(text) {
    try {
      const value = parse(text) as Table;
      return Object.keys(value).length === 0 ? undefined : value;
    } catch (error) {
      const { line, column } = error as { line?: number; column?: number };
      const position = line === undefined || column === undefined ? undefined : { line, column: column + 1 };
      throw new ConfigTextError('is not valid TOML', position);
    }
  },

  put(text, place, name, entry) {
    const document = parse(text) as Table;
    const servers = document[place.section];
    if (place.shape === 'list') {
      const created = servers === undefined ? patch(text, { ...document, [place.section]: [] }) : text;
      const list = Array.isArray(servers) ? (servers as Table[]) : [];
      return patch(created, { ...document, [place.section]: [...list.filter((one) => one['name'] !== name), entry] });
    }
    const map = (servers ?? {}) as Table;
    if (map[name] !== undefined || isInline(text, place)) {
      return patch(text, { ...document, [place.section]: { ...map, [name]: entry } });
    }
    const lineBreak = getLineBreak(text);
    return appendLines(text, printTable(place, name, entry, lineBreak), lineBreak + lineBreak);
  },

  remove(text, place, name) {
    const document = parse(text) as Table;
    const servers = document[place.section];
    if (Array.isArray(servers)) {
      const rest = (servers as Table[]).filter((one) => one['name'] !== name);
      return patch(text, { ...document, [place.section]: rest });
    }
    const { [name]: removed, ...rest } = (servers ?? {}) as Table;
    const lineBreak = getLineBreak(text);
    const table = printTable(place, name, removed as ServerEntry, lineBreak);
    const start = text.indexOf(table);
    const next = text.slice(start + table.length);
    if (start !== -1 && (next === '' || /^\s*\r?\n/.test(next))) return cutLines(text, start, start + table.length);
    const { [place.section]: _, ...others } = document;
    return patch(text, Object.keys(rest).length === 0 ? others : { ...document, [place.section]: rest });
  },

  getEmptySection: () => '',

  replaceEmptySection(text, place, replacement) {
    const { [place.section]: section, ...others } = parse(text) as Table;
    return section === undefined || replacement !== undefined ? text : patch(text, others);
  },
};

/** Removes lines, and the empty lines before them. */
function cutLines(text: string, start: number, end: number): string {
  const before = text.slice(0, start).trimEnd();
  const after = text.slice(end);
  return before === '' ? after.replace(/^\r?\n/, '') : before + after;
}

/** Prints the table of a server without a line break at its end. */
function printTable({ section }: Place, name: string, entry: ServerEntry, lineBreak: string): string {
  const key = /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
  return [`[${section}.${key}]`, ...stringify(entry).trimEnd().split('\n')].join(lineBreak);
}

/** Whether the section is an inline table, which no further table can extend. */
const isInline = (text: string, { section }: Place): boolean =>
  new RegExp(`^[ \\t]*(["']?)${section}\\1[ \\t]*=`, 'm').test(text);
