import { createInterface } from 'node:readline/promises';
import { InterruptedError } from '../errors/cli-error.ts';

/**
 * Asks for a line of text that the terminal shows.
 * @param question shown on stderr, with a blank at its end
 * @throws InterruptedError for Ctrl-C, and at the end of the input
 */
export async function askLine(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const end = new AbortController();
  terminal.once('close', () => end.abort());
  try {
    return await terminal.question(question, { signal: end.signal });
  } catch (error) {
    process.stderr.write('\n');
    throw error instanceof Error && error.name === 'AbortError' ? new InterruptedError() : error;
  } finally {
    terminal.close();
  }
}
