import { getPublishedPorts } from '../configuration/config-values.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { requireFreePort } from '../flags/local-address.ts';
import type { PublishedPort } from '../flags/ports.ts';
import type { WorkloadStore } from './store.ts';

/** The port of a proxy, and the flag or the field that names it. */
export interface RequestedPort {
  readonly number: number;
  readonly typed: string;
}

/** The host ports of a new workload. */
interface HostPorts {
  readonly name: string;
  /** The address on which the proxy listens. */
  readonly host: string;
  readonly proxy: RequestedPort | undefined;
  readonly publish: readonly PublishedPort[];
  /** The workload that is replaced, which has its ports until then. */
  readonly replaced: RunConfig | undefined;
}

/** Requires that the host ports of a new workload are free. @throws WorkloadError (conflict) */
export async function requireFreePorts(store: WorkloadStore, ports: HostPorts): Promise<void> {
  const { name, host, proxy, publish, replaced } = ports;
  if (proxy !== undefined && proxy.number !== replaced?.port) {
    const owner = store.list().find((other) => other.name !== name && other.config?.port === proxy.number);
    if (owner) {
      throw new WorkloadError(
        'conflict',
        `Port ${proxy.number} (${proxy.typed}) belongs to the workload ${owner.name}`,
        ['give another port, or none to get a free one'],
      );
    }
    await requireFreePort(proxy.typed, host, proxy.number);
  }
  const released = new Set(replaced === undefined ? [] : getPublishedPorts(replaced).map((spec) => spec.host));
  for (const { host: port } of publish)
    if (port !== undefined && !released.has(port)) await requireFreePort('--publish', '0.0.0.0', port);
}
