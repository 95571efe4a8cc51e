import type { RunConfig } from '../configuration/run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { readLogFile } from '../logs.ts';
import type {
  BuiltImage,
  ListedServer,
  LogConsumer,
  LogRequest,
  Runtime,
  StartContext,
  StartedWorkload,
} from '../runtime/runtime.ts';
import type { Home } from '../state/home.ts';
import { isAlive } from '../state/process-identity.ts';
import type { WorkloadStore } from '../state/store.ts';
import { endSupervisor, launch, launchDetached } from '../supervision/launch.ts';
import { REMOTE_ADDRESS } from '../flags/remote-address.ts';

/** The parts of a {@link RemoteRuntime}. */
interface RemoteRuntimeParts {
  readonly home: Home;
  readonly defaultFolder: string;
  readonly store: WorkloadStore;
}

/** Runs the proxies of remote servers. It needs no container engine. */
export class RemoteRuntime implements Runtime {
  readonly address = REMOTE_ADDRESS;
  readonly usesPortsOfMachine = true;

  constructor(private readonly parts: RemoteRuntimeParts) {}

  ping(): Promise<void> {
    return Promise.resolve();
  }

  requireSupport(): Promise<void> {
    return Promise.resolve();
  }

  prepareImage(config: RunConfig): Promise<RunConfig> {
    return Promise.resolve(config);
  }

  start({ name }: RunConfig, context: StartContext): Promise<StartedWorkload> {
    const { home, defaultFolder } = this.parts;
    const { foreground, secretVariables: variables, progress, abort } = context;
    return launch({ home, defaultFolder, name, foreground, variables, progress, abort });
  }

  recover(name: string): void {
    const { home, defaultFolder } = this.parts;
    launchDetached({ home, defaultFolder, name });
  }

  stop(name: string): Promise<void> {
    return endSupervisor(this.parts.store.readStatus(name)?.process);
  }

  remove(name: string): Promise<void> {
    return this.stop(name);
  }

  /** The server of a workload counts as running while its proxy does. */
  list(name?: string): Promise<readonly ListedServer[]> {
    const remote = this.parts.store
      .list()
      .filter((workload) => workload.config?.engine === REMOTE_ADDRESS && (name ?? workload.name) === workload.name);
    return Promise.resolve(
      remote.map((workload) => ({ workload: workload.name, running: isAlive(workload.status?.process) })),
    );
  }

  readLog({ name }: RunConfig, { proxy, follow, abort }: LogRequest, take: LogConsumer): Promise<void> {
    if (proxy) return readLogFile(this.parts.store.getProxyLogPath(name), follow, take, abort);
    throw new WorkloadError('usage', `${name} is a remote server, whose log is not on this machine`, [
      `gatehouse logs ${name} --proxy   shows the log of its proxy`,
    ]);
  }

  build(): Promise<void> {
    throw new WorkloadError('usage', 'A remote server has no image to build');
  }

  findImageUser(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  listBuiltImages(): Promise<readonly BuiltImage[]> {
    return Promise.resolve([]);
  }

  removeImage(): Promise<boolean> {
    return Promise.resolve(false);
  }

  close(): void {
    // It has no connections.
  }
}
