/** Ports of a platform whose offset is 0. Postgres is not among them: it takes any free port and remembers it. */
export const DEFAULT_PORTS = {
  enterprise_manager: 8080,
  connector_gateway: 8081,
  ai_gateway_mgmt: 8082,
  ai_gateway: 8083,
  console: 8084,
  identity_provider: 8090,
  connector_gateway_control: 8091,
  enterprise_manager_metrics: 9090,
  connector_gateway_metrics: 9091,
  ai_gateway_mgmt_metrics: 9092,
  ai_gateway_metrics: 9093,
} as const;

/** A listener of the platform. */
export type PortName = keyof typeof DEFAULT_PORTS;

/** The port of every listener. */
export type Ports = Readonly<Record<PortName, number>>;

/** Largest offset that leaves every port below 65536. */
export const MAX_OFFSET = 65_535 - Math.max(...Object.values(DEFAULT_PORTS));

/** Smallest offset that leaves every port above 1023, where no privilege is needed. */
export const MIN_OFFSET = 1024 - Math.min(...Object.values(DEFAULT_PORTS));

/** The ports of a platform with an offset. */
export function portsAt(offset: number): Ports {
  const moved = Object.entries(DEFAULT_PORTS).map(([name, port]) => [name, port + offset]);
  return Object.fromEntries(moved) as Record<PortName, number>;
}

/** One of the ports cannot be had. */
export class PortTaken extends Error {
  constructor(taken: readonly { name: PortName; port: number; holder: string | undefined }[]) {
    const lines = taken.map(
      ({ name, port, holder }) =>
        `Port ${port} (${name.replaceAll('_', '-')}) is taken by ${holder ?? 'a process that this user cannot see'}.`,
    );
    super(`${lines.join('\n')}\nEnd it, or move all ports of this platform: GATEHOUSE_PORT_OFFSET=1000.`);
  }
}

/** How a port is looked at; the real one is libs/postgres' port-holder. */
export interface PortProbe {
  isFree(port: number): Promise<boolean>;
  holder(port: number): string | undefined;
}

/** @throws {PortTaken} that names every port which cannot be listened on, and who has it */
export async function requireFreePorts(ports: Ports, probe: PortProbe): Promise<void> {
  const names = Object.keys(ports) as PortName[];
  const free = await Promise.all(names.map((name) => probe.isFree(ports[name])));
  const taken = names.filter((_, index) => !free[index]);
  if (taken.length === 0) return;
  throw new PortTaken(taken.map((name) => ({ name, port: ports[name], holder: probe.holder(ports[name]) })));
}
