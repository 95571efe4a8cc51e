import type { ImageInfo } from '../configuration/image-info.ts';
import { OutputDemultiplexer } from './container-output.ts';
import { EngineResponseError, type Engine } from './engine.ts';

/** The inspected properties of a container. */
export interface ContainerInfo {
  readonly id: string;
  readonly running: boolean;
  readonly exitCode: number;
  /** Process id of its first process on the engine's machine; 0 when it does not run. */
  readonly pid: number;
  readonly stopSignal: string;
  /** `host`, `none`, `container:ID`, or a network of the engine. */
  readonly networkMode: string;
  /** Address on each of its networks. */
  readonly addresses: readonly string[];
  /** Host port of each published container port (`8080/tcp`). */
  readonly published: Readonly<Record<string, number>>;
}

/** One line of a container listing. */
export interface ContainerSummary {
  readonly id: string;
  readonly workload: string;
  readonly running: boolean;
  /** `egress`: the container of network isolation. */
  readonly role: 'server' | 'egress';
  readonly name: string;
  /** Its networks. Podman reports their names as ids. */
  readonly networks: readonly { readonly name: string; readonly id: string }[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** The label of egress containers with the hash of their settings, and of their images. */
export const EGRESS_LABEL = 'gatehouse-egress';

/**
 * The label with the {@link ContainerSummary.role} of a container. The labels of an image are those
 * of its containers too, and an image of others could have {@link EGRESS_LABEL}.
 */
export const ROLE_LABEL = 'gatehouse-role';

/** Containers of earlier versions have no label of their role. */
const readRole = (labels: Readonly<Record<string, string>>): ContainerSummary['role'] =>
  (labels[ROLE_LABEL] ?? (EGRESS_LABEL in labels ? 'egress' : 'server')) === 'egress' ? 'egress' : 'server';

/** Resolves with undefined when the engine answers 404. */
export async function ignoreNotFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EngineResponseError && error.status === 404) return undefined;
    throw error;
  }
}

/** An image that the engine has. */
export interface LocalImage extends ImageInfo {
  /** `repository@digest` in each registry that it came from; empty for an image that was built. */
  readonly digests: readonly string[];
  /** Its user, as `USER` of a Dockerfile; empty for root. */
  readonly user: string;
}

/** Inspects a local image; undefined when it must be pulled. */
export async function inspectImage(engine: Engine, image: string): Promise<LocalImage | undefined> {
  const found = (await ignoreNotFound(engine.call('GET', `/images/${encodeURI(image)}/json`))) as
    | {
        RepoDigests?: string[] | null;
        Config?: {
          Labels?: Record<string, string> | null;
          ExposedPorts?: Record<string, unknown> | null;
          User?: string;
        } | null;
      }
    | undefined;
  if (!found) return undefined;
  const ports = Object.keys(found.Config?.ExposedPorts ?? {}).flatMap((port) => {
    const [number, protocol] = port.split('/');
    return protocol === undefined || protocol === 'tcp' ? [Number(number)] : [];
  });
  return {
    labels: found.Config?.Labels ?? {},
    ports,
    digests: found.RepoDigests ?? [],
    user: found.Config?.User ?? '',
  };
}

/**
 * Creates a container.
 * @param warn receives the engine's warnings, for example about an unsupported limit
 * @returns its id
 */
export async function createContainer(
  engine: Engine,
  name: string,
  body: unknown,
  warn: (text: string) => void,
): Promise<string> {
  const created = (await engine.call('POST', `/containers/create?name=${encodeURIComponent(name)}`, body)) as {
    Id: string;
    Warnings?: string[] | null;
  };
  for (const warning of created.Warnings ?? []) warn(`the container engine warns: ${warning}`);
  return created.Id;
}

/** Starts a container, unless it runs already. */
export async function startContainer(engine: Engine, id: string): Promise<void> {
  await engine.call('POST', `/containers/${id}/start`);
}

/** Removes a container with its anonymous volumes, running or not, unless it is removed already. */
export async function removeContainer(engine: Engine, id: string): Promise<void> {
  try {
    await ignoreNotFound(engine.call('DELETE', `/containers/${id}?force=true&v=true`));
  } catch (error) {
    // 409: another call already removes it.
    if (!(error instanceof EngineResponseError && error.status === 409)) throw error;
  }
}

/** Podman gives the mode `bridge` for each network. */
function getNetworkMode(mode: string, [first]: readonly { NetworkID?: string }[]): string {
  return mode === 'bridge' ? first?.NetworkID || mode : mode;
}

/** Podman gives the number of the signal. */
const nameStopSignal = (signal: string | undefined): string => (!signal || signal === '15' ? 'SIGTERM' : signal);

/** Inspects a container by id or name; undefined when there is none. */
export async function inspectContainer(engine: Engine, id: string): Promise<ContainerInfo | undefined> {
  const found = (await ignoreNotFound(engine.call('GET', `/containers/${encodeURIComponent(id)}/json`))) as
    | {
        Id: string;
        State: { Running: boolean; ExitCode: number; Pid?: number };
        Config?: { StopSignal?: string };
        HostConfig?: { NetworkMode?: string };
        NetworkSettings: {
          Networks?: Record<string, { IPAddress?: string; NetworkID?: string }> | null;
          Ports?: Record<string, { HostPort: string }[] | null> | null;
        };
      }
    | undefined;
  if (!found) return undefined;
  const published: Record<string, number> = {};
  for (const [port, bindings] of Object.entries(found.NetworkSettings.Ports ?? {})) {
    const binding = bindings?.[0];
    if (binding) published[port] = Number(binding.HostPort);
  }
  const networks = Object.values(found.NetworkSettings.Networks ?? {});
  const addresses = networks.flatMap(({ IPAddress }) => IPAddress || []);
  return {
    id: found.Id,
    running: found.State.Running,
    exitCode: found.State.ExitCode,
    pid: found.State.Pid ?? 0,
    networkMode: getNetworkMode(found.HostConfig?.NetworkMode ?? '', networks),
    stopSignal: nameStopSignal(found.Config?.StopSignal),
    addresses,
    published,
  };
}

/** Stops a container with its stop signal, and with SIGKILL after the grace time. */
export async function stopWithGrace(engine: Engine, id: string, graceSeconds: number): Promise<void> {
  await ignoreNotFound(engine.call('POST', `/containers/${id}/stop?t=${graceSeconds}`));
}

/** Sends a signal to a container, unless it was removed or does not run. */
export async function killContainer(engine: Engine, id: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  try {
    await ignoreNotFound(engine.call('POST', `/containers/${id}/kill?signal=${signal}`));
  } catch (error) {
    if (!(error instanceof EngineResponseError && error.status === 409)) throw error;
  }
}

/**
 * Waits until a container does not run (`not-running`), or until its next end (`next-exit`, for a
 * container that is started later).
 * @returns its exit code; undefined when it was removed.
 */
export async function waitForExit(
  engine: Engine,
  id: string,
  condition: 'not-running' | 'next-exit',
  abort?: AbortSignal,
): Promise<number | undefined> {
  const ended = (await ignoreNotFound(
    engine.call('POST', `/containers/${id}/wait?condition=${condition}`, undefined, abort),
  )) as { StatusCode: number } | undefined;
  return ended?.StatusCode;
}

/** Lists the containers with all of the given labels (`key=value`), running or not. */
export async function listContainers(engine: Engine, labels: readonly string[]): Promise<ContainerSummary[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: labels }));
  const found = (await engine.call('GET', `/containers/json?all=true&filters=${filters}`)) as {
    Id: string;
    State: string;
    Labels: Record<string, string>;
    Created: number;
    Names?: string[] | null;
    NetworkSettings?: { Networks?: Record<string, { NetworkID?: string }> | null } | null;
  }[];
  return found.map(({ Id, State, Labels, Created, Names, NetworkSettings }) => ({
    id: Id,
    workload: Labels['gatehouse-name'] ?? '',
    running: State === 'running',
    role: readRole(Labels),
    name: (Names?.[0] ?? '').replace(/^\//, ''),
    networks: Object.entries(NetworkSettings?.Networks ?? {}).map(([name, { NetworkID }]) => ({
      name,
      id: NetworkID ?? '',
    })),
    createdAt: Created * 1_000,
  }));
}

/** Lists the containers of servers with all of the given labels, without egress containers. */
export async function listServerContainers(engine: Engine, labels: readonly string[]): Promise<ContainerSummary[]> {
  return (await listContainers(engine, labels)).filter(({ role }) => role === 'server');
}

/** Returns the last `lines` lines of output of a container, oldest first. */
export async function readLastOutput(engine: Engine, id: string, lines: number): Promise<string[]> {
  const parts: Buffer[] = [];
  const demultiplexer = new OutputDemultiplexer((_stream, data) => parts.push(data));
  const response = await ignoreNotFound(engine.stream('GET', `/containers/${id}/logs?stdout=1&stderr=1&tail=${lines}`));
  for await (const chunk of response ?? []) demultiplexer.push(chunk as Buffer);
  return Buffer.concat(parts)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-lines);
}
