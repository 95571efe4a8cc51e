import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Stops the server $2 when the standard input closes. The pid file $1 must name the server, so
 * that no other process with the same pid gets a signal. A server that still starts writes this
 * file within a moment: the guard waits for it while the process exists, for at most 10 s.
 */
const SCRIPT = `
read -r _
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  now=
  [ -r "$1" ] && IFS= read -r now < "$1"
  if [ "$now" = "$2" ]; then kill -INT "$2"; exit; fi
  kill -0 "$2" || exit
  sleep 0.5
done`;

/**
 * Starts a shell that stops a server when this process ends. The end of this process closes the
 * standard input of the shell.
 * @param data the data directory of the server
 * @param pid the process id of the server
 */
export function startGuard(data: string, pid: number): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'gatehouse-postgres-guard', join(data, 'postmaster.pid'), `${pid}`], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return guard;
}

/** Ends the guard of an ended server and waits for it, so that no process remains. */
export async function endGuard(guard: ChildProcess | undefined): Promise<void> {
  if (guard?.pid === undefined || guard.exitCode !== null || guard.signalCode !== null) return;
  const ended = once(guard, 'exit');
  guard.kill('SIGKILL');
  await ended;
}
