import { resolve } from 'node:path';
import { describeFileProblem } from '@gatehouse/local-files/file-problem';
import { readSmallText } from '@gatehouse/local-files/text-file';
import * as z from 'zod/mini';
import { flagError, getErrorMessage } from '../errors/workload-error.ts';
import { parseJsonDocument } from '../files/json-document.ts';

const MAX_FILE_BYTES = 1024 * 1024;
const text = z.optional(z.string());

/** Overrides of tools, in a file and in a configuration. */
export const ToolOverridesSchema = z.readonly(z.record(z.string(), z.looseObject({ name: text, description: text })));
/** Overrides of tools by the names of the server. */
type ToolOverrides = z.output<typeof ToolOverridesSchema>;

const Document = z.looseObject({ toolsOverride: ToolOverridesSchema });

/** The tools that clients see. */
export interface RequestedTools {
  /** Names as clients see them; empty: all tools. */
  readonly filter: readonly string[];
  readonly overrides: ToolOverrides;
}

/**
 * Parses `--tools` and reads the file of `--tools-override`.
 * @param folder the folder of a relative path
 * @throws WorkloadError (usage) that names the flag and the tool
 */
export function parseToolFlags(
  flags: { readonly tools?: readonly string[] | undefined; readonly toolsOverride?: string | undefined },
  folder: string,
): RequestedTools {
  const filter = (flags.tools ?? []).flatMap((value) => parseNames(value));
  const path = flags.toolsOverride;
  const overrides = path === undefined ? {} : readOverrides(path, folder);
  requireUsableOverrides(filter, overrides, path === undefined ? '' : ` ${path}`);
  return { filter: [...new Set(filter)], overrides };
}

/**
 * Requires overrides that change something, and that give each name to one tool. Clients could not
 * tell tools with the same name apart.
 * @param path the typed path of the file, after a space
 * @throws WorkloadError (usage) that names the tool
 */
export function requireUsableOverrides(filter: readonly string[], overrides: ToolOverrides, path = ''): void {
  const typed = `--tools-override${path}`;
  const tools = new Map<string, string>();
  for (const [tool, { name, description }] of Object.entries(overrides)) {
    if (tool === '') throw flagError(typed, 'is not valid: it has a tool with an empty name');
    if (!name && !description) throw flagError(typed, `is not valid: ${tool} has neither a name nor a description`);
    const visible = name || tool;
    const other = tools.get(visible);
    if (other !== undefined) throw flagError(typed, `gives the name ${visible} to two tools, ${other} and ${tool}`);
    tools.set(visible, tool);
  }
  requireVisibleNames(filter, overrides);
}

/**
 * Requires names of tools that an entry of the registry lists. @param listed empty: not known
 * @throws WorkloadError (usage) that names the tool
 */
export function requireListedTools({ filter, overrides }: RequestedTools, listed: readonly string[]): void {
  if (listed.length === 0) return;
  const known = `the registry lists ${listed.slice(0, 20).join(', ')}${listed.length > 20 ? ', …' : ''}`;
  for (const name of Object.keys(overrides)) {
    if (!listed.includes(name))
      throw flagError('--tools-override', `names ${name}, which is no tool of the server: ${known}`);
  }
  const visible = new Set(listed.map((name) => overrides[name]?.name || name));
  for (const name of filter) {
    if (!visible.has(name)) throw flagError(`--tools ${name}`, `is no tool of the server: ${known}`);
  }
}

function parseNames(value: string): string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.includes('')) throw flagError(`--tools ${value}`, 'has an empty name; separate names with single commas');
  return names;
}

function readOverrides(path: string, folder: string): ToolOverrides {
  const refuse = (problem: string) => flagError(`--tools-override ${path}`, problem);
  let document: unknown;
  try {
    document = parseJsonDocument(readFile(path, folder));
  } catch (error) {
    throw refuse(getErrorMessage(error));
  }
  const { success, data } = Document.safeParse(document);
  if (!success) throw refuse('is not valid: toolsOverride must be an object of {"name"?: text, "description"?: text}');
  if (Object.keys(data.toolsOverride).length === 0) throw refuse('is not valid: toolsOverride has no tool');
  return data.toolsOverride;
}

function readFile(path: string, folder: string): string {
  if (path === '' || path.includes('\0')) throw new Error('is not the path of a JSON file');
  try {
    return readSmallText(resolve(folder, path), MAX_FILE_BYTES);
  } catch (error) {
    throw new Error(`cannot be read: ${describeFileProblem(error)}`, { cause: error });
  }
}

/** The filter has the names that clients see. */
function requireVisibleNames(filter: readonly string[], overrides: ToolOverrides): void {
  const taken = new Set(Object.values(overrides).map(({ name }) => name));
  for (const tool of filter) {
    const name = Object.hasOwn(overrides, tool) ? overrides[tool]?.name : undefined;
    if (name !== undefined && name !== tool && !taken.has(tool)) {
      throw flagError(`--tools ${tool}`, `names a tool that --tools-override renames to ${name}`, `--tools ${name}`);
    }
  }
}
