import { requireEnforceableAuthorization } from '../authorization/check-authorization.ts';
import { resolveConfiguredMounts, withGlobalIgnoreFile } from '../configuration/configured-mounts.ts';
import { getNetworkMode } from '../configuration/config-values.ts';
import { createRunConfig } from '../configuration/create-run-config.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { parseNetworkRanges } from '../engine/subnets.ts';
import type { ImportedConfig } from '../exports/import-config.ts';
import { createIsolationWarning } from '../flags/isolation.ts';
import { resolveHost } from '../flags/local-address.ts';
import { parseNameserver } from '../flags/nameserver.ts';
import type { RunRequest } from '../flags/run-request.ts';
import type { Groups } from '../groups/groups.ts';
import type { CommandContext, Runtime } from '../runtime/runtime.ts';
import { warnOfExposure } from '../runtime/start-warnings.ts';
import { requireUsableWebhooks } from '../flags/configured-webhooks.ts';
import { forgetSession } from '../remote/session/forget-session.ts';
import { checkSecrets } from '../secrets/check-secrets.ts';
import { requireFreePorts } from '../state/free-ports.ts';
import { getContainerName, type Home } from '../state/home.ts';
import type { MachineFields, NewWorkload, RunningWorkload } from '../state/new-workload.ts';
import { identifyProcess } from '../state/process-identity.ts';
import { createNameConflict, createReservedError, type WorkloadStore } from '../state/store.ts';
import type { WorkloadRemoval } from './removal.ts';
import { restoreWorkload } from './restore.ts';
import type { Runtimes } from './runtimes.ts';
import type { WorkloadStart } from './start.ts';
import type { WorkloadStates } from './states.ts';
import type { WorkloadSettings } from './workload-settings.ts';

/** The parts of {@link WorkloadCreation}. */
export interface WorkloadCreationParts {
  readonly home: Home;
  readonly store: WorkloadStore;
  readonly groups: Groups;
  readonly runtimes: Runtimes;
  readonly states: WorkloadStates;
  readonly starts: WorkloadStart;
  readonly removal: WorkloadRemoval;
  readonly settings: WorkloadSettings;
}

/** Creates workloads and starts them. A failure leaves nothing behind. */
export class WorkloadCreation {
  constructor(private readonly parts: WorkloadCreationParts) {}

  /** Creates the workload of a command line. */
  run(request: RunRequest, foreground: boolean, context: CommandContext): Promise<RunningWorkload> {
    const port = request.proxyPort === undefined ? undefined : { number: request.proxyPort, typed: '--proxy-port' };
    const createConfig = (machine: MachineFields) => createRunConfig(request, machine);
    return this.create({ request, port, replaces: false, createConfig }, foreground, context);
  }

  /**
   * Creates the workload of an imported configuration. The fields of the machine on which it was
   * exported have no effect.
   * @param replaces whether it takes the place of the workload of its name
   */
  async import(
    { config, request }: ImportedConfig,
    replaces: boolean,
    foreground: boolean,
    context: CommandContext,
  ): Promise<RunningWorkload> {
    const { store, groups } = this.parts;
    if (!replaces && store.has(config.name)) {
      throw createNameConflict(config.name, [
        '--replace   takes its place',
        '--name NAME   runs a second one beside it',
      ]);
    }
    groups.require(config.group, '--from-config: group');
    const port = config.port !== 0 ? { number: config.port, typed: 'port' } : undefined;
    const createConfig = ({ containerName, engine, host, networkRange, nameserver }: MachineFields) => ({
      ...config,
      ...{ container_name: containerName, engine, host, network_range: networkRange },
      ...(nameserver !== undefined && { egress_nameserver: nameserver }),
    });
    return this.create({ request, port, replaces, createConfig }, foreground, context);
  }

  private async create(workload: NewWorkload, foreground: boolean, context: CommandContext): Promise<RunningWorkload> {
    const { groups, runtimes, settings } = this.parts;
    const networkRange = parseNetworkRanges(settings.networkRange);
    const host = await resolveHost(workload.request.host);
    groups.require(workload.request.group);
    const { cluster, source } = workload.request;
    const runtime = await runtimes.find(cluster, source.kind === 'remote');
    try {
      return await this.createOn(runtime, workload, { networkRange, host }, foreground, context);
    } finally {
      runtime.close();
    }
  }

  private async createOn(
    runtime: Runtime,
    { request, port, replaces, createConfig }: NewWorkload,
    { networkRange, host }: Pick<MachineFields, 'networkRange' | 'host'>,
    foreground: boolean,
    context: CommandContext,
  ): Promise<RunningWorkload> {
    const { home, store, groups, removal, settings } = this.parts;
    const containerName = getContainerName(home, request.name);
    const nameserver = parseNameserver(settings.egressNameserver);
    const created = createConfig({ containerName, engine: runtime.address, host, networkRange, nameserver });
    const config = withGlobalIgnoreFile(created, created.ignore_config?.global_file ?? settings.globalIgnoreFile);
    await removal.removeInterrupted();
    resolveConfiguredMounts(config, home.folder);
    const old = replaces ? store.read(config.name) : undefined;
    if (runtime.usesPortsOfMachine)
      await requireFreePorts(store, { ...request, host, proxy: port, replaced: old?.config });
    await runtime.requireSupport(config);
    if (old !== undefined) {
      await requireEnforceableAuthorization(config.authz_config);
      await requireUsableWebhooks(config);
      await checkSecrets(config, settings.secretsSettings);
      await runtime.prepareImage(config, 'missing', context);
      context.abort.throwIfAborted();
      await removal.remove(config.name);
    }
    try {
      await groups.whileExists(config.group, () => store.reserve(config, identifyProcess(process.pid), new Date()));
      const proposed =
        config.transport === 'stdio' || config.port !== 0
          ? undefined
          : (request.server ?? request.remoteServer)?.proxyPort;
      if (proposed !== undefined) store.proposePort(config.name, proposed);
      warnOfExposure(config, context);
      const dropped = createIsolationWarning(request.isolateNetwork, getNetworkMode(config));
      if (dropped !== undefined) context.warn(dropped);
      return await this.start(runtime, config, { foreground, isNew: old === undefined }, context);
    } catch (error) {
      throw old === undefined ? error : await restoreWorkload(this.parts, old, error, context);
    }
  }

  private async start(
    runtime: Runtime,
    config: RunConfig,
    { foreground, isNew }: { readonly foreground: boolean; readonly isNew: boolean },
    context: CommandContext,
  ): Promise<RunningWorkload> {
    const { states, starts, removal, settings } = this.parts;
    try {
      const launched = await starts.startWith(runtime, config, 'moving', foreground, context);
      return { state: await states.get(config.name), launched };
    } catch (error) {
      // The workload that comes back has the session of the same name.
      if (isNew) await forgetSession(config, settings.secretsSettings);
      throw await removal.rollBack(runtime, config.name, error);
    }
  }

  /**
   * Checks the group and the name of a new workload, and that a runtime answers, before a person is
   * asked for anything. The creation checks them again.
   * @throws WorkloadError (usage, conflict, no-engine)
   */
  async checkNew({ name, group }: Pick<RunRequest, 'name' | 'group'>): Promise<void> {
    const { groups, store, runtimes } = this.parts;
    groups.require(group);
    if (store.has(name) && !store.listInterrupted().includes(name)) throw createReservedError(name);
    (await runtimes.find()).close();
  }
}
