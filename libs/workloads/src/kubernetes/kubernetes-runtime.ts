import { randomBytes } from 'node:crypto';
import type { BuildPlan } from '../builds/build-plan.ts';
import { planConfiguredBuild } from '../builds/configured-build.ts';
import { resolveImageDefaults } from '../configuration/image-defaults.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import type { EngineEnvironment } from '../engine/engine-address.ts';
import type { EngineRuntimeParts } from '../engine/engine-runtime.ts';
import { WorkloadError } from '../errors/workload-error.ts';
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
import { createSecretsReader } from '../secrets/secrets-reader.ts';
import { readIssuerCertificates } from '../server/workload-authentication.ts';
import { identifyProcess } from '../state/process-identity.ts';
import { Cluster } from './cluster.ts';
import {
  type ClusterSelection,
  formatClusterAddress,
  type KubernetesSettings,
  parseClusterAddress,
} from '../flags/cluster-address.ts';
import { requireObjectName } from './object-names.ts';
import { COMPONENT_LABEL, HOME_LABEL, INSTANCE_LABEL } from './objects/cluster-object.ts';
import { getWorkload, reportState, selectPods } from './pod-state.ts';
import { publishPackage, requirePackageRegistry } from './package-image.ts';
import { listPolicyWarnings } from './policy-warnings.ts';
import { obtainProxyImage } from './proxy-image.ts';
import { listProxySecrets } from './proxy-secrets.ts';
import { readPodLog } from './read-pod-log.ts';
import { requireClusterSupport } from './unsupported-flags.ts';
import { waitForEnd, waitForPods } from './wait-for-pods.ts';
import { RootImageError } from './start-error.ts';
import { describeRefusedUser } from './image-user.ts';
import { createObjects, listNeededRights, type StartParts } from './workload-objects.ts';

/** The parts of a runtime on a cluster. */
export interface KubernetesRuntimeParts extends EngineRuntimeParts {
  readonly settings: KubernetesSettings;
  /** The engine that builds images. */
  readonly environment: EngineEnvironment;
}

/** The longest time until pods that were asked to end have ended. */
const END_TIMEOUT_MS = 60_000;

/** Finds the runtime of new workloads. @throws WorkloadError (no-engine) */
export async function findKubernetesRuntime(
  selection: ClusterSelection,
  parts: KubernetesRuntimeParts,
): Promise<Runtime> {
  return new KubernetesRuntime(await Cluster.find(selection, parts.settings), parts);
}

/** Opens the runtime at a stored address. @throws WorkloadError (usage) for an invalid one */
export function openKubernetesRuntime(address: string, parts: KubernetesRuntimeParts): Runtime {
  return new KubernetesRuntime(Cluster.open(parseClusterAddress(address)), parts);
}

/**
 * Runs servers as pods of a cluster. The proxy is a pod of its own, the cluster restarts both, and
 * their objects hold the truth about them. The state folder has the configuration.
 */
class KubernetesRuntime implements Runtime {
  readonly usesPortsOfMachine = false;

  constructor(
    private readonly cluster: Cluster,
    private readonly parts: KubernetesRuntimeParts,
  ) {}

  get address(): string {
    return formatClusterAddress(this.cluster.address);
  }

  ping(): Promise<void> {
    return this.cluster.ping();
  }

  async requireSupport(config: RunConfig): Promise<void> {
    requireObjectName(config.name);
    requireClusterSupport(config);
    requirePackageRegistry(config, this.parts.settings.registry);
    await this.cluster.ping();
  }

  async prepareImage(config: RunConfig, _refresh: ImageRefresh, context: CommandContext): Promise<RunConfig> {
    const image = await this.obtainImage(config, context);
    const complete = await resolveImageDefaults({ ...config, image }, { labels: {}, ports: [] });
    const instance = config.kubernetes?.instance ?? randomBytes(8).toString('hex');
    await this.requireRights(complete);
    const proxyImage = await obtainProxyImage(this.parts, context);
    return { ...complete, kubernetes: { ...config.kubernetes, instance, proxy_image: proxyImage } };
  }

  async start(config: RunConfig, context: StartContext): Promise<StartedWorkload> {
    const { name } = config;
    if (context.foreground)
      throw new WorkloadError('usage', '--foreground is for container engines; a cluster restarts a server that ends', [
        `gatehouse logs ${name} -f   shows its output`,
      ]);
    const { store } = this.parts;
    const { instance, proxyImage } = requireFacts(config);
    const replace = store.read(name)?.status?.first_start !== true;
    const { folder } = this.parts.home;
    const secrets = await createSecretsReader(folder, config, context.secretVariables)();
    const ofProxy = { ...config, secrets: listProxySecrets(config) };
    const proxySecrets = await createSecretsReader(folder, ofProxy, context.secretVariables)();
    const certificates = readIssuerCertificates(config);
    const { progress } = context;
    for (const warning of await listPolicyWarnings(this.cluster, this.createParts(config, instance), context.abort))
      context.warn(warning);
    if (replace) store.writeStatus(name, { status: 'starting', ...identifyThis() }, new Date());
    progress('creating the objects');
    try {
      const values = { secrets, proxySecrets, certificates };
      const parts = { ...this.createParts(config, instance), ...values, proxyImage, replace };
      await this.startPods(parts, context);
    } catch (error) {
      // A command that failed leaves no running pod.
      await this.stop(name).catch(() => undefined);
      throw error;
    }
    const now = new Date();
    store.writeStatus(name, { status: 'running', started_at: now.toISOString(), restarts: 0 }, now);
    return { ended: new Promise(() => undefined), release: () => undefined, stop: () => this.stop(name) };
  }

  /** Starts the pods. An image whose user the cluster refuses gets another one. */
  private async startPods(parts: StartParts, context: StartContext): Promise<void> {
    const { config, instance } = parts;
    await createObjects(this.cluster, parts, context.abort);
    try {
      await waitForPods(this.cluster, { ...context, config, instance });
    } catch (error) {
      if (!(error instanceof RootImageError) || config.kubernetes === undefined) throw error;
      context.warn(describeRefusedUser(config.image));
      const changed = { ...config, kubernetes: { ...config.kubernetes, needs_user: true } };
      this.parts.store.writeConfig(changed);
      await this.stop(config.name);
      await createObjects(this.cluster, { ...parts, config: changed, replace: true }, context.abort);
      await waitForPods(this.cluster, { ...context, config: changed, instance });
    }
  }

  /** The cluster itself starts a proxy again. */
  recover(): void {
    return undefined;
  }

  async stop(name: string): Promise<void> {
    const selector = this.getSelector(name);
    if (selector === undefined) return;
    await this.cluster.scale('Deployment', selector, 0);
    // The proxy of a stdio server changes the number of its pods until its end.
    await waitForEnd(this.cluster, `${selector},${COMPONENT_LABEL}=proxy`, END_TIMEOUT_MS);
    await this.cluster.scale('StatefulSet', selector, 0);
    await waitForEnd(this.cluster, selector, END_TIMEOUT_MS);
  }

  async remove(name: string): Promise<void> {
    const selector = this.getSelector(name);
    // Without the label, no object has been created.
    if (selector === undefined) return;
    // The pods end while their network policies are still in force.
    await this.stop(name);
    await this.cluster.removeAll(selector);
  }

  async list(name?: string): Promise<readonly ListedServer[]> {
    const pods = await this.cluster.listPods(`${HOME_LABEL}=${this.parts.home.id}`);
    const names = new Set(pods.map(getWorkload));
    const wanted = this.parts.store.list().filter((workload) => name === undefined || workload.name === name);
    return wanted.flatMap(({ name: workload, config }) => {
      const instance = config?.kubernetes?.instance;
      if (config === undefined || instance === undefined || !names.has(workload)) return [];
      const reported = reportState(selectPods(pods, instance), config.transport === 'stdio');
      return [{ workload, running: reported.status !== 'stopped', reported }];
    });
  }

  readLog(config: RunConfig, request: LogRequest, take: LogConsumer): Promise<void> {
    return readPodLog(this.cluster, config, request, take);
  }

  build(_plan: BuildPlan, _context: CommandContext): Promise<void> {
    return Promise.reject(new Error('a cluster builds no images'));
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
    this.cluster.close();
  }

  /** The image of a package is built on this machine and pushed to the registry. */
  private async obtainImage(config: RunConfig, context: CommandContext): Promise<string> {
    const plan = await planConfiguredBuild(config);
    if (plan === undefined) return config.image;
    requirePackageRegistry(config, this.parts.settings.registry);
    return publishPackage(plan, this.parts.settings.registry ?? '', this.parts, context);
  }

  private createParts(config: RunConfig, instance: string) {
    return { config, namespace: this.cluster.address.namespace, homeId: this.parts.home.id, instance };
  }

  /** The selector of the objects of a workload. Equal names of other homes have another one. */
  private getSelector(name: string): string | undefined {
    const instance = this.parts.store.read(name)?.config?.kubernetes?.instance;
    return instance === undefined ? undefined : `${INSTANCE_LABEL}=${instance}`;
  }

  private async requireRights(config: RunConfig): Promise<void> {
    const missing = await this.cluster.listMissingRights(listNeededRights(config));
    if (missing.length === 0) return;
    const { namespace } = this.cluster.address;
    const list = missing.map(({ verb, resource, subresource }) =>
      subresource === undefined ? `${verb} ${resource}` : `${verb} ${resource}/${subresource}`,
    );
    throw new WorkloadError(
      'failed',
      `The cluster does not let you run ${config.name} in the namespace ${namespace}. You lack the rights: ${list.join(', ')}`,
      [
        'ask an administrator of the cluster for a Role with them',
        '--kube-namespace NAMESPACE   selects another namespace',
      ],
    );
  }
}

/** This process, which starts the workload. */
function identifyThis() {
  const process_ = identifyProcess(process.pid);
  return process_ === undefined ? {} : { process: process_ };
}

/** The facts that `prepareImage` stores. */
function requireFacts({ name, kubernetes }: RunConfig): { instance: string; proxyImage: string } {
  if (kubernetes !== undefined) return { instance: kubernetes.instance, proxyImage: kubernetes.proxy_image };
  throw new Error(`the configuration of ${name} has no facts of its cluster`);
}
