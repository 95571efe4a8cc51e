import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandManifest } from './base/direct-command.ts';
import { splitArguments, unknownCommand } from './base/argv.ts';
import type { ManifestCommands } from './services/completion/complete.ts';
import { createErrorReport } from './terminal/error-report.ts';
import { printFailure } from './terminal/output.ts';

/** The words that ask for the help of a command. */
const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/** Whether the command line contains `--json` before `--`. */
function wantsJson(argv: readonly string[]): boolean {
  const { own } = splitArguments(argv);
  return own.some((word) => /^--json(=true|=1)?$/.test(word));
}

/** Reads all commands. */
function readCommands(root: string): CommandManifest {
  const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as { commands: CommandManifest };
  return manifest.commands;
}

/** Prints the candidates for the last word, for completion scripts. Failures have no candidates. */
async function printCandidates(root: string, words: readonly string[]): Promise<void> {
  try {
    const { complete } = await import('./services/completion/complete.ts');
    const { listNames } = await import('./services/completion/names.ts');
    const { loadCliConfig } = await import('./config/config.ts');
    const commands = readCommands(root) as ManifestCommands;
    const found = await complete(words, commands, (kind) => listNames(kind, loadCliConfig(root)));
    for (const { value, description } of found) process.stdout.write(`${value}\t${description.replace(/\s+/g, ' ')}\n`);
  } catch {
    // A shell cannot show an error while a user types.
  }
}

/**
 * Starts the supervisor of the workload that the command line creates, before the command itself is
 * loaded: both load at the same time.
 */
async function prepareWorkload(root: string, argv: readonly string[]): Promise<void> {
  const { own } = splitArguments(argv);
  // A cluster has no supervisor on this machine.
  const isNeeded = !own.some((word) => HELP.has(word) || /^(?:--runtime=)?kubernetes$/.test(word));
  if (argv[0] !== 'run' || !isNeeded) return;
  const { prepareSupervisor } = await import('@gatehouse/workloads/supervision/supervisor-process');
  const { loadCliConfig } = await import('./config/config.ts');
  const { home, defaultHome } = loadCliConfig(root);
  prepareSupervisor({ folder: home, defaultFolder: defaultHome });
}

/** Runs the command of a command line, or shows help. */
async function runCommand(root: string, argv: readonly string[]): Promise<void> {
  // Help has lines of up to two characters more than this width, which is read at the import.
  Object.assign(globalThis, { oclif: { columns: Math.max(40, process.stdout.columns || 80) - 2 } });
  const { run, settings } = await import('@oclif/core');
  settings.enableAutoTranspile = false;
  const commands = readCommands(root);
  const { createDirectPlugin, findDirectCommand } = await import('./base/direct-command.ts');
  const direct = findDirectCommand(argv, commands);
  if (direct === undefined) await run(argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv], { root });
  else {
    const plugin = createDirectPlugin(root, direct.id, commands);
    await run([direct.id, ...direct.rest], { root, plugins: new Map([[plugin.name, plugin]]) });
  }
}

/**
 * Runs one command and sets the exit code.
 * @param root folder of the installed command line
 * @param argv the arguments after `gatehouse`
 * @public called by bin/gatehouse.js from the built files
 */
export async function main(root: string, argv: string[]): Promise<void> {
  // A reader that closes the pipe early (`gatehouse list | head -1`) is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  // The command continues when the reader of stderr has closed it.
  process.stderr.on('error', () => undefined);
  if (argv[0] === '__complete') {
    await printCandidates(root, argv.slice(1));
    return;
  }
  try {
    await prepareWorkload(root, argv);
    await runCommand(root, argv);
  } catch (error) {
    // Help has another message for the same error.
    const missing = /^command (\S+) not found\.?$/i.exec(error instanceof Error ? error.message : '')?.[1];
    const found = missing === undefined ? error : unknownCommand(missing.split(':'), Object.keys(readCommands(root)));
    const { lines, exitCode, document } = createErrorReport(found, argv.includes('--debug'));
    for (const line of lines) process.stderr.write(`${line}\n`);
    if (document !== undefined && wantsJson(argv)) printFailure(document);
    process.exitCode = exitCode;
  }
}
