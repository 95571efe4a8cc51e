import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { InterruptedError, UsageError } from '../errors/cli-error.ts';

/**
 * Whether a person can type a text that is not shown. Standard input may be a pipe: the text then
 * comes from the terminal of the process.
 */
export const canAskHidden = (): boolean => process.stderr.isTTY && openTerminal() !== undefined;

let terminal: ReadStream | undefined;

/** The terminal for input; undefined without one. */
function openTerminal(): ReadStream | undefined {
  if (process.stdin.isTTY) return process.stdin;
  if (process.platform === 'win32') return undefined;
  try {
    terminal ??= new ReadStream(openSync('/dev/tty', 'r+'));
    return terminal;
  } catch {
    return undefined;
  }
}

/**
 * Asks for a text that the terminal does not show.
 * @param question shown on stderr, with a blank at its end
 * @throws InterruptedError for Ctrl-C, and at the end of the input
 */
export async function askHidden(question: string): Promise<string> {
  const input = openTerminal();
  if (input === undefined) throw new UsageError('There is no terminal to type on');
  const silent = new Writable({ write: (_part, _encoding, done) => done() });
  const reader = createInterface({ input, output: silent, terminal: true });
  const end = new AbortController();
  reader.once('close', () => end.abort());
  process.stderr.write(question);
  try {
    return await reader.question('', { signal: end.signal });
  } catch (error) {
    throw error instanceof Error && error.name === 'AbortError' ? new InterruptedError() : error;
  } finally {
    process.stderr.write('\n');
    reader.close();
    terminal?.destroy();
    terminal = undefined;
  }
}

/**
 * Asks for a new text twice.
 * @param rule of the text, shown with the first question
 * @throws UsageError when the answers differ
 */
export async function askNewHidden(question: string, rule: string): Promise<string> {
  const first = await askHidden(`${question} (${rule}): `);
  if (first !== (await askHidden(`${question} again: `))) throw new UsageError('The two answers are not the same');
  return first;
}
