import type { Workloads } from '@gatehouse/workloads/lifecycle';
import type { LogConsumer, LogRequest } from '@gatehouse/workloads/runtime/runtime';

/** The selected log and its options. */
interface LogStyle extends LogRequest {
  /** Whether the whole log goes to stderr. */
  readonly standardError?: boolean;
}

/**
 * Writes a workload's log to stdout, and the server's stderr to stderr. With `follow` it continues
 * until it is aborted or the log ends.
 */
export async function showLogs(workloads: Workloads, name: string, style: LogStyle): Promise<void> {
  const take: LogConsumer = (stream, data) => {
    (stream === 'stderr' || style.standardError === true ? process.stderr : process.stdout).write(data);
  };
  await workloads.readLog(name, style, take);
}
