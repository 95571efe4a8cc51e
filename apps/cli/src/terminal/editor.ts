import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CommandFailedError, UsageError } from '../errors/cli-error.ts';

/** The exit codes of a POSIX shell for a command that cannot be run. */
const NOT_RUN = [126, 127];

/**
 * The editor for a user who has chosen none.
 * @throws UsageError without a terminal: vi would wait for keys without end
 */
export function getDefaultEditor(): string {
  if (process.stdin.isTTY) return 'vi';
  throw new UsageError('There is no terminal for the editor vi; nothing was sent', [
    '--file policy.yaml',
    'set EDITOR',
  ]);
}

/**
 * Opens a file in an editor, and waits until the editor ends. It keeps the terminal; where stdout
 * is no terminal, the editor writes to stderr, so that stdout has the data of the command only.
 * @param command a command of the shell, which may have arguments: `code --wait`
 * @throws UsageError when the editor cannot be started; CommandFailedError when it fails
 */
export async function openEditor(command: string, file: string): Promise<void> {
  const stdio = ['inherit', process.stdout.isTTY ? 'inherit' : process.stderr, 'inherit'] as const;
  const editor =
    process.platform === 'win32'
      ? spawn(`${command} "${file}"`, { shell: true, stdio: [...stdio] })
      : spawn('sh', ['-c', `${command} "$@"`, command, file], { stdio: [...stdio] });
  // Ctrl-C in the editor reaches this process too, and is meant for the editor.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    const [code, signal] = (await once(editor, 'exit')) as [number | null, NodeJS.Signals | null];
    if (code === 0) return;
    if (code !== null && NOT_RUN.includes(code)) throw createNotRunError(command);
    const reason = code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${code}`;
    throw new CommandFailedError(`The editor (${command}) ${reason}; nothing was sent`);
  } catch (error) {
    if (error instanceof CommandFailedError || error instanceof UsageError) throw error;
    throw createNotRunError(command, error);
  } finally {
    process.off('SIGINT', ignore);
  }
}

const createNotRunError = (command: string, cause?: unknown): UsageError =>
  new UsageError(
    `The editor ${JSON.stringify(command)} cannot be started; nothing was sent`,
    ["EDITOR=nano, or another editor that is installed, such as EDITOR='code --wait'", '--file policy.yaml'],
    cause,
  );
