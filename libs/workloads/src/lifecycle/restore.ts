import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import type { CommandContext } from '../runtime/runtime.ts';
import { identifyProcess } from '../state/process-identity.ts';
import { shouldRun } from '../state/state.ts';
import type { StoredWorkload, WorkloadStore } from '../state/store.ts';
import type { Runtimes } from './runtimes.ts';
import type { WorkloadStart } from './start.ts';

/** The parts that bring a workload back. */
interface RestoreParts {
  readonly store: WorkloadStore;
  readonly runtimes: Runtimes;
  readonly starts: WorkloadStart;
}

/**
 * Brings back a workload that was removed for a new one which did not start. It starts again,
 * unless a command had stopped it. An interruption of the new one does not end this.
 * @returns the error of the new one, with what became of the old one
 */
export async function restoreWorkload(
  parts: RestoreParts,
  old: StoredWorkload,
  error: unknown,
  context: CommandContext,
): Promise<unknown> {
  const { name, config } = old;
  if (config === undefined) return error;
  try {
    parts.store.reserve(config, identifyProcess(process.pid), new Date());
  } catch (cause) {
    return extendError(error, `the replaced workload could not be restored: ${getErrorMessage(cause)}`);
  }
  if (!shouldRun(old)) {
    parts.store.writeStatus(name, { status: 'stopped', stop_requested: true }, new Date());
    return extendError(error, 'the replaced workload is there again, stopped as before');
  }
  const command = identifyProcess(process.pid);
  // Without first_start, the state stays when this command is killed.
  parts.store.writeStatus(name, { status: 'starting', ...(command && { process: command }) }, new Date());
  context.progress('starting the replaced workload again');
  try {
    const runtime = await parts.runtimes.open(config);
    try {
      const abort = new AbortController().signal;
      (await parts.starts.startWith(runtime, config, 'missing', false, { ...context, abort })).release();
    } finally {
      runtime.close();
    }
    return extendError(error, 'the replaced workload runs again');
  } catch (cause) {
    parts.store.writeStatus(name, { status: 'error', context: getErrorMessage(cause) }, new Date());
    return extendError(error, 'the replaced workload is there again, but did not start', [`gatehouse start ${name}`]);
  }
}

/** An interruption stays one; its sentence is a progress line. */
function extendError(error: unknown, outcome: string, tryNext: readonly string[] = []): unknown {
  if (!(error instanceof WorkloadError)) return error;
  const { code, message, excerpt } = error;
  return new WorkloadError(code, `${message}; ${outcome}`, [...error.tryNext, ...tryNext], error, excerpt);
}
