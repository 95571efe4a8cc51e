import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** Ports of a platform with offset 0. Postgres chooses a free port and stores it. */
export const DEFAULT_PORTS = {
  enterprise_manager: 8080,
  connector_gateway: 8081,
  ai_gateway_mgmt: 8082,
  ai_gateway: 8083,
  console: 8084,
  demo_provider: 8085,
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

/** Maximum offset; all ports stay below 65536. */
export const MAX_OFFSET = 65_535 - Math.max(...Object.values(DEFAULT_PORTS));

/** Minimum offset; all ports stay above 1023, so that they need no privilege. */
export const MIN_OFFSET = 1024 - Math.min(...Object.values(DEFAULT_PORTS));

/** Returns the ports of a platform with an offset. */
export function portsAt(offset: number): Ports {
  const moved = Object.entries(DEFAULT_PORTS).map(([name, port]) => [name, port + offset]);
  return Object.fromEntries(moved) as Record<PortName, number>;
}

/** Ports above 1023 that browsers block (bad ports of the Fetch standard). */
const UNREACHABLE: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

/** Returns the first port that browsers block; undefined without one. */
export function unreachablePort(ports: Ports): number | undefined {
  return Object.values(ports).find((port) => UNREACHABLE.has(port));
}

/** Other programs use some of the ports. */
export class PortTakenError extends GatehouseError {
  override readonly code = 'port_taken';
  constructor(taken: readonly { name: PortName; port: number; holder: string | undefined }[]) {
    const lines = taken.map(
      ({ name, port, holder }) =>
        `Port ${port} (${name.replaceAll('_', '-')}) is taken by ${holder ?? 'a process of another user'}.`,
    );
    super(`${lines.join('\n')}\nEnd it, or move all ports of this platform: GATEHOUSE_PORT_OFFSET=100.`);
  }
}

/** Checks ports. `libs/postgres/src/port-holder.ts` implements it. */
export interface PortProbe {
  isFree(port: number): Promise<boolean>;
  holder(port: number): string | undefined;
}

/** Selects the ports of the listeners that run. @param demo whether a demonstration runs */
export function selectUsedPorts(ports: Ports, demo: boolean): Partial<Ports> {
  const { demo_provider: _demo, ...others } = ports;
  return demo ? ports : others;
}

/** @throws {PortTakenError} naming every port in use and its process */
export async function requireFreePorts(ports: Partial<Ports>, probe: PortProbe): Promise<void> {
  const listeners = Object.entries(ports) as [PortName, number][];
  const free = await Promise.all(listeners.map(([, port]) => probe.isFree(port)));
  const taken = listeners.filter((_, index) => !free[index]);
  if (taken.length === 0) return;
  throw new PortTakenError(taken.map(([name, port]) => ({ name, port, holder: probe.holder(port) })));
}

/**
 * Adds the command line to the process that uses a port, because a name like `MainThread (pid 7)`
 * does not identify a program.
 * @param holder `<name> (pid <n>)`
 */
export function describeHolder(
  holder: string | undefined,
  readCommand: (pid: number) => string | undefined,
): string | undefined {
  const pid = /pid (\d+)/.exec(holder ?? '')?.[1];
  const command = pid === undefined ? undefined : readCommand(Number(pid));
  return pid === undefined || !command ? holder : `${shorten(command)} (pid ${pid})`;
}

/** Characters of a command line that are shown. */
const COMMAND_LENGTH = 120;

const shorten = (command: string): string =>
  command.length <= COMMAND_LENGTH ? command : `${command.slice(0, 40)} … ${command.slice(43 - COMMAND_LENGTH)}`;
