import { createInterface } from 'node:readline/promises';
import { InterruptedError, UsageError, RefusedError } from '../errors/cli-error.ts';

/**
 * Asks a question on the terminal; only `y` and `yes` mean yes.
 * @throws UsageError without a terminal
 * @throws RefusedError for any other answer
 * @throws InterruptedError for Ctrl-C
 */
export async function confirm(question: string, abort: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(`${question} Without a terminal, --yes is required`, ['repeat the command with --yes']);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal: abort });
    if (/^y(es)?$/i.test(answer.trim())) return;
  } catch (error) {
    process.stderr.write('\n');
    // Ctrl-C reaches the terminal's reader first; another signal reaches the command.
    throw error instanceof Error && error.name === 'AbortError' ? new InterruptedError() : error;
  } finally {
    terminal.close();
  }
  throw new RefusedError('Cancelled; nothing was changed');
}
