import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitArguments, unknownCommand } from './base/argv.ts';
import { reportOf } from './terminal/error-report.ts';
import { printFailure } from './terminal/output.ts';

/** Whether `--json` was typed; what follows `--` belongs to a server. */
function wantsJson(argv: readonly string[]): boolean {
  const { own } = splitArguments(argv);
  return own.some((word) => /^--json(=true|=1)?$/.test(word));
}

/** The names of all commands. */
function commandsOf(root: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as { commands: object };
  return Object.keys(manifest.commands);
}

/**
 * Runs one command and sets the exit code.
 * @param root folder of the installed command line
 * @param argv what was typed after `gatehouse`
 * @public called by bin/gatehouse.js from the built files
 */
export async function main(root: string, argv: string[]): Promise<void> {
  // A reader that had enough (`gatehouse list | head -1`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  // Without a listener for what it says, a command still does what it is for.
  process.stderr.on('error', () => undefined);
  try {
    const { run, settings } = await import('@oclif/core');
    settings.enableAutoTranspile = false;
    await run(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv, { root });
  } catch (error) {
    // Help words the same fault in a sentence of its own.
    const missing = /^command (\S+) not found\.?$/i.exec(error instanceof Error ? error.message : '')?.[1];
    const found = missing === undefined ? error : unknownCommand(missing.split(':'), commandsOf(root));
    const { lines, exitCode, document } = reportOf(found, argv.includes('--debug'));
    for (const line of lines) process.stderr.write(`${line}\n`);
    if (document !== undefined && wantsJson(argv)) printFailure(document);
    process.exitCode = exitCode;
  }
}
