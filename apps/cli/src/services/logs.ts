import { readContainerLog, readLogFile, type LogConsumer } from '@gatehouse/workloads/logs';
import type { Workloads } from '@gatehouse/workloads/lifecycle';

/** Which log, and how. */
interface LogStyle {
  readonly follow: boolean;
  /** The proxy's log instead of the server's. */
  readonly proxy: boolean;
  readonly abort: AbortSignal;
  /** Everything goes to stderr. */
  readonly standardError?: boolean;
}

/**
 * Writes a workload's log to stdout (what the server wrote to stderr: to stderr); with `follow`
 * until aborted or over.
 */
export async function showLogs(workloads: Workloads, name: string, style: LogStyle): Promise<void> {
  const take: LogConsumer = (stream, data) => {
    (stream === 'stderr' || style.standardError === true ? process.stderr : process.stdout).write(data);
  };
  const { engine, config, containers } = await workloads.containersOf(name);
  try {
    if (style.proxy) await readLogFile(workloads.store.proxyLog(name), style.follow, take, style.abort);
    // The standard output of a stdio server is the protocol; what it has to say to people is on its
    // standard error.
    else if (config.transport === 'stdio')
      await readLogFile(workloads.store.serverLog(name), style.follow, take, style.abort);
    else if (containers[0]) await readContainerLog(engine, containers[0].id, style.follow, take, style.abort);
  } finally {
    engine.close();
  }
}
