import type { RunConfig } from '../configuration/run-config.ts';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';

/** Number of output lines that an error contains. */
export const EXCERPT_LINES = 10;

/** Returns the flag of the limit that the engine cannot set; undefined for other errors. */
function findUnsupportedLimit(message: string): string | undefined {
  // A process that is too new for its cgroup, on a machine under load: no limit is at fault.
  if (/cgroup\.procs: invalid argument/.test(message)) return undefined;
  if (!/cgroup|controller|limit/i.test(message)) return undefined;
  if (/\bpids?\b/i.test(message)) return '--pids-limit';
  if (/\bmemory\b|memory\.max/i.test(message)) return '--memory';
  return /\bcpu\b|\bCPU|cpu\.max/.test(message) ? '--cpus' : undefined;
}

/** Converts an error of the engine to one that names flags and next steps. */
export function toStartError(error: unknown, config: RunConfig, excerpt: readonly string[] = []): WorkloadError {
  if (error instanceof WorkloadError) {
    return error.excerpt.length > 0 || excerpt.length === 0
      ? error
      : new WorkloadError(error.code, error.message, error.tryNext, error.cause, excerpt);
  }
  const message = getErrorMessage(error);
  if (/port is already allocated|address already in use/.test(message)) {
    return new WorkloadError('conflict', `A published port of ${config.name} is taken: ${message}`, [], error);
  }
  const flag = findUnsupportedLimit(message);
  if (flag !== undefined) {
    return new WorkloadError(
      'failed',
      `The container engine cannot limit ${config.name}: ${message}`,
      [`${flag} none   runs the server without this limit`],
      error,
    );
  }
  if (/container name .* is already in use/.test(message)) {
    return new WorkloadError(
      'conflict',
      `A container named '${config.container_name}' exists already and gatehouse did not create it`,
      ['--name NAME   gives this workload another name'],
      error,
    );
  }
  return new WorkloadError(
    'failed',
    `${config.name} did not start: ${message}`,
    [`gatehouse run --debug … shows more`],
    error,
    excerpt,
  );
}
