import { readContainerLog, readLogFile, type LogConsumer } from '@gatehouse/workloads/logs';
import type { Workloads } from '@gatehouse/workloads/lifecycle';

/** The selected log and its options. */
interface LogStyle {
  readonly follow: boolean;
  /** The proxy's log instead of the server's. */
  readonly proxy: boolean;
  readonly abort: AbortSignal;
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
  const { engine, config, containers } = await workloads.listContainers(name);
  try {
    if (style.proxy) await readLogFile(workloads.store.getProxyLogPath(name), style.follow, take, style.abort);
    // The standard output of a stdio server is the protocol. Its messages for people are on its
    // standard error.
    else if (config.transport === 'stdio')
      await readLogFile(workloads.store.getServerLogPath(name), style.follow, take, style.abort);
    else if (containers[0]) await readContainerLog(engine, containers[0].id, style.follow, take, style.abort);
  } finally {
    engine.close();
  }
}
