import { createInterface } from 'node:readline/promises';
import { InterruptedError } from '../errors/cli-error.ts';

/** Whether a person can answer a question. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/**
 * Asks for one of several answers, until one of them is typed: a whole answer, or its first letter.
 * @param answers words with different first letters
 * @throws InterruptedError for Ctrl-C, and at the end of the input
 */
export async function choose<Answer extends string>(question: string, answers: readonly Answer[]): Promise<Answer> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const end = new AbortController();
  terminal.once('close', () => end.abort());
  try {
    for (;;) {
      const typed = (await terminal.question(`${question} `, { signal: end.signal })).trim().toLowerCase();
      const chosen = answers.find((answer) => typed === answer || typed === answer.charAt(0));
      if (chosen !== undefined) return chosen;
      process.stderr.write(`Type ${answers.join(', ')}, or the first letter\n`);
    }
  } catch (error) {
    process.stderr.write('\n');
    throw error instanceof Error && error.name === 'AbortError' ? new InterruptedError() : error;
  } finally {
    terminal.close();
  }
}
