import type { RunConfig } from '../configuration/run-config.ts';
import type { LogConsumer, LogRequest } from '../runtime/runtime.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import type { Cluster } from './cluster.ts';
import { INSTANCE_LABEL } from './objects/cluster-object.ts';
import { CONTAINER, SERVER_LINE } from './pod-conventions.ts';
import { LineWriter } from './pod/line-writer.ts';
import { selectPods } from './pod-state.ts';

/** The longest line of a log, so that an audit event with the data of a request stays whole. */
const MAX_LINE = 16 * 1024 * 1024;

/**
 * Reads the log of a pod. The proxy has the standard error of a stdio server in its own log,
 * because the log of the pod of such a server is the protocol.
 */
export async function readPodLog(
  cluster: Cluster,
  { name, transport, kubernetes }: RunConfig,
  { proxy, follow, abort }: LogRequest,
  take: LogConsumer,
): Promise<void> {
  const isStdio = transport === 'stdio';
  const instance = kubernetes?.instance ?? '';
  const pods = selectPods(await cluster.listPods(`${INSTANCE_LABEL}=${instance}`, abort), instance);
  const [pod] = proxy || isStdio ? pods.proxy : pods.server;
  if (pod === undefined)
    throw new WorkloadError('failed', `${name} has no pod, and so no log`, [`gatehouse start ${name}`]);
  const write = selectLines(proxy, isStdio, take);
  try {
    const query = { container: CONTAINER, ...(follow && { follow: 'true' }) };
    for await (const chunk of await cluster.openLog(pod.metadata.name, query, abort))
      write(Buffer.from(chunk as Buffer));
  } catch (error) {
    if (!abort.aborted) throw error;
  }
}

function selectLines(proxy: boolean, isStdio: boolean, take: LogConsumer): (data: Buffer) => void {
  if (!isStdio) return (data) => take('stdout', data);
  const lines = new LineWriter((line) => {
    if (line.startsWith(SERVER_LINE) === proxy) return;
    take('stdout', Buffer.from(`${proxy ? line : line.slice(SERVER_LINE.length)}\n`));
  }, MAX_LINE);
  return (data) => lines.write(data);
}
