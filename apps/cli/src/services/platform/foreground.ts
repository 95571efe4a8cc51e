import { ExitCode } from '../../terminal/error-report.ts';
import type { LaunchedPlatform } from './launch-platform.ts';

/**
 * Stays until the platform has ended. Ctrl-C stops it in order, and a second Ctrl-C kills it.
 * @returns the exit code
 */
export async function keepInForeground(
  { ended, stop }: LaunchedPlatform,
  abort: AbortSignal,
  say: (text: string) => void,
): Promise<number> {
  const onAbort = (): void => {
    say('Stopping the platform; Ctrl-C again kills all services');
    stop();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  };
  if (abort.aborted) onAbort();
  else abort.addEventListener('abort', onAbort, { once: true });
  const code = await ended;
  return abort.aborted ? ExitCode.interrupted : code;
}
