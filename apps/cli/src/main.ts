import { reportOf } from './errors.ts';

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
  try {
    const { run, settings } = await import('@oclif/core');
    settings.enableAutoTranspile = false;
    await run(argv, { root });
  } catch (error) {
    const { lines, exitCode } = reportOf(error, argv.includes('--debug'));
    for (const line of lines) process.stderr.write(`${line}\n`);
    process.exitCode = exitCode;
  }
}
