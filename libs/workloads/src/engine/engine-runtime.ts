import { BUILD_LABEL, type BuildPlan } from '../builds/build-plan.ts';
import { planConfiguredBuild } from '../builds/configured-build.ts';
import { getNetworkMode } from '../configuration/config-values.ts';
import { resolveImageDefaults } from '../configuration/image-defaults.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { flagError, WorkloadError } from '../errors/workload-error.ts';
import type {
  BuiltImage,
  CommandContext,
  ImageRefresh,
  ListedServer,
  LogConsumer,
  LogRequest,
  Runtime,
  StartContext,
  StartedWorkload,
} from '../runtime/runtime.ts';
import type { CredentialEnvironment } from '../registry-credentials/credential-files.ts';
import { createBuildHeaders } from '../registry-credentials/credential-headers.ts';
import { findCredentials } from '../registry-credentials/find-credentials.ts';
import { readLogFile } from '../logs.ts';
import type { Home } from '../state/home.ts';
import type { WorkloadStore } from '../state/store.ts';
import { endSupervisor, launch, launchDetached, SupervisorLostError } from '../supervision/launch.ts';
import { buildImage } from './build-image.ts';
import { listBuiltImages, removeImage } from './built-images.ts';
import { readContainerLog } from './container-log.ts';
import { createLabelFilters } from './container-spec.ts';
import type { ImageInfo } from '../configuration/image-info.ts';
import { inspectImage, listContainers, listServerContainers } from './containers.ts';
import { startSharedEgress } from './egress-container.ts';
import { ensureEgressImage } from './egress-image.ts';
import { parseEngineAddress } from './engine-address.ts';
import { Engine } from './engine.ts';
import { planNetwork } from '../configuration/network-plan.ts';
import { warnOfIgnoredLimits } from './ignored-limits.ts';
import { OPT_OUT } from './isolation-error.ts';
import { hasNetwork } from './networks.ts';
import { obtainImage } from './obtain-image.ts';
import { removeContainers, removeLateContainers, removeLeftoverContainers } from './remove-containers.ts';
import { stopContainer } from './stop-container.ts';
import { leaveEgress, removeLeftoverNetworks } from './workload-networks.ts';

/** The parts of a runtime on an engine. */
export interface EngineRuntimeParts {
  readonly home: Home;
  /** See getHome. The supervisor computes the same home from it. */
  readonly defaultFolder: string;
  readonly store: WorkloadStore;
  /** The variables of a proxy for builds, such as HTTP_PROXY. */
  readonly proxyVariables: Readonly<Record<string, string>>;
  /** Where the credentials of registries are. */
  readonly environment: CredentialEnvironment;
}

/** The first Podman that has networks without an address of the machine. */
const OLDEST_PODMAN = 4;
/** Seconds in which a container may end by itself before the engine kills it. */
const GRACE_SECONDS = 10;

/**
 * Runs servers on a container engine. A detached supervisor on this machine runs the proxy of each
 * workload, and the state folder of the home has its facts.
 */
export class EngineRuntime implements Runtime {
  readonly usesPortsOfMachine = true;

  /** The start of the egress container while the image is prepared. It does not fail. */
  private early: Promise<void> | undefined;

  /** @param engine is closed with the runtime */
  constructor(
    private readonly engine: Engine,
    private readonly parts: EngineRuntimeParts,
  ) {}

  /** Opens the runtime at a stored address. @throws WorkloadError (usage) for an invalid one */
  static open(address: string, parts: EngineRuntimeParts): EngineRuntime {
    return new EngineRuntime(new Engine(parseEngineAddress(address, 'engine')), parts);
  }

  get address(): string {
    return this.engine.address;
  }

  ping(): Promise<void> {
    return this.engine.ping();
  }

  async requireSupport(config: RunConfig): Promise<void> {
    if (planNetwork(config).kind === 'isolated') await requireIsolation(this.engine, config.name);
    const network = getNetworkMode(config);
    const isNamed = network !== '' && network !== 'host' && network !== 'none' && !network.startsWith('container:');
    if (isNamed && !(await hasNetwork(this.engine, network)))
      throw flagError(
        `--network ${network}`,
        'is not a network of the container engine',
        `${(await this.engine.isPodman()) ? 'podman' : 'docker'} network create ${network}`,
      );
  }

  async prepareImage(config: RunConfig, refresh: ImageRefresh, context: CommandContext): Promise<RunConfig> {
    if (planNetwork(config).kind === 'isolated')
      this.early = startSharedEgress({ engine: this.engine, home: this.parts.home, config }).catch(() => undefined);
    const plan = await planConfiguredBuild(config);
    const named = plan === undefined ? config : { ...config, image: plan.image };
    const info =
      plan === undefined
        ? await obtainImage({ engine: this.engine, environment: this.parts.environment, context }, named.image, refresh)
        : ((await inspectImage(this.engine, plan.image)) ?? (await this.buildMissing(plan, context)));
    context.abort.throwIfAborted();
    if (planNetwork(config).kind === 'isolated') await ensureEgressImage(this.engine, context.progress, context.abort);
    await warnOfIgnoredLimits(this.engine, config, context.warn);
    const complete = await resolveImageDefaults(named, info);
    if (this.engine.isRemote) requireReachableServer(complete);
    return complete;
  }

  async build(plan: BuildPlan, { progress, abort }: CommandContext): Promise<void> {
    const name = plan.labels[BUILD_LABEL] ?? plan.image;
    progress(`building ${name}`);
    const { proxyVariables, environment } = this.parts;
    const output = (line: string) => progress(`building ${name}: ${line}`);
    const isPodman = await this.engine.isPodman();
    const credentials = await findCredentials(plan.baseImage, { environment, isPodman, abort });
    const headers = createBuildHeaders(credentials);
    await buildImage(this.engine, plan, { proxyVariables, headers, output, abort });
  }

  private async buildMissing(plan: BuildPlan, context: CommandContext): Promise<ImageInfo> {
    await this.build(plan, context);
    const info = await inspectImage(this.engine, plan.image);
    if (info !== undefined) return info;
    throw new WorkloadError('failed', `The engine does not have the image ${plan.image} after building it`);
  }

  async start(config: RunConfig, context: StartContext): Promise<StartedWorkload> {
    const { engine } = this;
    const { home, defaultFolder } = this.parts;
    // The start does not need them, and the next one repeats a failed removal.
    const leftovers = this.removeLeftovers().catch(() => undefined);
    try {
      const { foreground, secretVariables: variables, progress, abort } = context;
      return await launch({ home, defaultFolder, name: config.name, foreground, variables, progress, abort });
    } catch (error) {
      if (error instanceof SupervisorLostError) await removeLateContainers(engine, home, config.name);
      throw error;
    } finally {
      await leftovers;
      await this.early;
    }
  }

  /** Removes what killed commands of this home have left. */
  private async removeLeftovers(): Promise<void> {
    const { home, store } = this.parts;
    const isWorkload = (name: string) => store.has(name);
    await removeLeftoverContainers(this.engine, home, isWorkload);
    await removeLeftoverNetworks(this.engine, home, isWorkload);
  }

  recover(name: string): void {
    const { home, defaultFolder } = this.parts;
    launchDetached({ home, defaultFolder, name });
  }

  async stop(name: string): Promise<void> {
    await endSupervisor(this.parts.store.readStatus(name)?.process);
    const containers = await listContainers(this.engine, createLabelFilters(this.parts.home, name));
    const running = containers.filter((container) => container.running);
    await Promise.all(running.map(({ id }) => stopContainer(this.engine, id, GRACE_SECONDS)));
    await leaveEgress(this.engine, this.parts.home, name);
  }

  async remove(name: string): Promise<void> {
    await this.early;
    await endSupervisor(this.parts.store.readStatus(name)?.process);
    await removeContainers(this.engine, this.parts.home, name);
  }

  list(name?: string): Promise<readonly ListedServer[]> {
    return listServerContainers(this.engine, createLabelFilters(this.parts.home, name));
  }

  async readLog({ name, transport }: RunConfig, request: LogRequest, take: LogConsumer): Promise<void> {
    const { proxy, follow, abort } = request;
    const { store } = this.parts;
    if (proxy) return readLogFile(store.getProxyLogPath(name), follow, take, abort);
    // The standard output of a stdio server is the protocol. Its messages for people are on its
    // standard error.
    if (transport === 'stdio') return readLogFile(store.getServerLogPath(name), follow, take, abort);
    const [container] = await listServerContainers(this.engine, createLabelFilters(this.parts.home, name));
    if (container !== undefined) await readContainerLog(this.engine, container.id, follow, take, abort);
  }

  async findImageUser(image: string): Promise<string | undefined> {
    return (await inspectImage(this.engine, image))?.user;
  }

  listBuiltImages(): Promise<readonly BuiltImage[]> {
    return listBuiltImages(this.engine);
  }

  removeImage(image: string): Promise<boolean> {
    return removeImage(this.engine, image);
  }

  close(): void {
    this.engine.close();
  }
}

/**
 * The port of an HTTP server is published on the loopback address of the engine's machine only,
 * because every other address would open it to a network.
 * @throws WorkloadError (usage)
 */
function requireReachableServer({ transport, target_host: host, engine }: RunConfig): void {
  if (transport === 'stdio' || host !== undefined) return;
  throw new WorkloadError('usage', `The port of a server on the engine at ${engine} cannot be reached from here`, [
    '--transport stdio   when the server also speaks on standard streams',
    '--target-host HOST   when HOST forwards to the loopback address of that machine',
  ]);
}

/** @throws WorkloadError (usage) for an engine that gives the machine an address in each network */
async function requireIsolation(engine: Engine, name: string): Promise<void> {
  if (!(await engine.isPodman())) return;
  const { Version = '' } = await engine.getVersion();
  if (Number.parseInt(Version, 10) >= OLDEST_PODMAN) return;
  throw new WorkloadError(
    'usage',
    `Podman ${Version} cannot isolate the network of ${name}: its networks reach this machine`,
    [`Podman ${OLDEST_PODMAN} and Docker 20.10 can isolate networks`, OPT_OUT],
  );
}
