import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { unavailable } from '@gatehouse/testing/fixture';

const BIN = fileURLToPath(new URL('../bin/gatehouse.js', import.meta.url));
const SCRIPT = '/usr/bin/script';

/** script(1), which gives a command its own terminal. */
export const terminalProgram = existsSync(SCRIPT)
  ? ({ available: true, value: SCRIPT } as const)
  : unavailable('there is no script(1), which makes terminals: apt-get install bsdutils');

/** Text that is typed when the command has shown another text. */
export interface Answer {
  readonly after: string;
  readonly type: string;
  /** Runs before the text is typed. */
  readonly before?: () => Promise<unknown>;
}

/** The result of a command on a terminal. */
interface TerminalResult {
  readonly code: number | null;
  /** All text on the terminal. */
  readonly shown: string;
}

/**
 * Runs a command on its own terminal.
 * @param script path of script(1)
 * @param answers each is typed once, in this order
 */
export async function runOnTerminal(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  answers: readonly Answer[],
): Promise<TerminalResult> {
  const command = [process.execPath, '--', BIN, ...args].join(' ');
  const child = spawn(script, ['-qfec', command, '/dev/null'], { env: { ...process.env, ...env } });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const waiting = [...answers];
  let shown = '';
  let unanswered = 0;
  const answerNext = async (): Promise<void> => {
    const [answer] = waiting;
    const at = answer === undefined ? -1 : shown.indexOf(answer.after, unanswered);
    if (answer === undefined || at === -1) return;
    waiting.shift();
    unanswered = at + answer.after.length;
    await answer.before?.();
    child.stdin.write(answer.type);
    await answerNext();
  };
  let answered = Promise.resolve();
  child.stdout.on('data', (part: Buffer) => {
    shown += part.toString();
    answered = answered.then(answerNext);
  });
  const [code] = await ended;
  await answered;
  return { code, shown };
}
