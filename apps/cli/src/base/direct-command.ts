import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, type Interfaces, Plugin } from '@oclif/core';

/** The commands in the manifest of oclif, by their id: `admin:users:list`. */
export type CommandManifest = Readonly<Record<string, Command.Cached>>;

/** The command of a command line, and the words after its name. */
export interface DirectCommand {
  readonly id: string;
  readonly rest: readonly string[];
}

const HELP = new Set(['--help', '-h', 'help']);

/**
 * Finds the command that a command line names exactly. Help, topics and unknown commands need all
 * commands.
 */
export function findDirectCommand(argv: readonly string[], commands: CommandManifest): DirectCommand | undefined {
  const end = argv.indexOf('--');
  if (argv.slice(0, end === -1 ? undefined : end).some((word) => HELP.has(word))) return undefined;
  const flag = argv.findIndex((word) => word.startsWith('-'));
  const words = argv.slice(0, flag === -1 ? undefined : flag);
  for (let count = words.length; count > 0; count -= 1) {
    const typed = words.slice(0, count).join(':');
    const id = Object.hasOwn(commands, typed) ? typed : findSynonym(typed, commands);
    if (id !== undefined) return { id, rest: argv.slice(count) };
  }
  return undefined;
}

const findSynonym = (typed: string, commands: CommandManifest): string | undefined =>
  Object.keys(commands).find((id) => commands[id]?.hiddenAliases.includes(typed));

/**
 * Creates a plugin of oclif with one command. With all commands, oclif takes a third of the time of
 * a start to index them.
 * @param root folder of the installed command line
 */
export function createDirectPlugin(root: string, id: string, commands: CommandManifest): Interfaces.Plugin {
  const manifest = readJson(join(root, 'package.json')) as Interfaces.PJSON;
  const pjson = { ...manifest, oclif: { ...manifest.oclif, topics: {} } };
  const { name, version } = pjson;
  const plugin = new Plugin({ root, isRoot: true });
  const load = async (): Promise<Command.Class> => {
    const file = `${join(root, 'dist', 'bundle', 'commands', ...id.split(':'))}.js`;
    const { default: command } = (await import(pathToFileURL(file).href)) as { default: Command.Class };
    return Object.assign(command, { id, plugin });
  };
  const fields = { root, pjson, name, version, alias: name, isRoot: true, valid: true, type: 'core', hooks: {} };
  return Object.assign(plugin, fields, { commands: [{ ...commands[id], hiddenAliases: [], load }], commandIDs: [id] });
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
