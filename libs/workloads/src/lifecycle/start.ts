import { requireBuiltSections } from '../configuration/built-sections.ts';
import {
  resolveConfiguredMounts,
  resolveConfiguredOverlays,
  withGlobalIgnoreFile,
} from '../configuration/configured-mounts.ts';
import { healIsolation } from '../configuration/network-plan.ts';
import { isSignInConfigured } from '../configuration/remote-sign-in.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import type { EngineEnvironment } from '../engine/engine-address.ts';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import type { CommandContext, ImageRefresh, Runtime, StartedWorkload } from '../runtime/runtime.ts';
import { warnOfExposure } from '../runtime/start-warnings.ts';
import { requireUsableWebhooks } from '../flags/configured-webhooks.ts';
import { requireEnforceableAuthorization } from '../authorization/check-authorization.ts';
import { checkSecrets } from '../secrets/check-secrets.ts';
import { isAlive } from '../state/process-identity.ts';
import { requireConfig, type WorkloadStore } from '../state/store.ts';
import type { WorkloadState } from '../state/state.ts';
import { ConcurrentStartError, endProcess } from '../supervision/launch.ts';
import type { VerificationSettings } from '../verification/verification-settings.ts';
import { verifyImage } from '../verification/verify-image.ts';
import type { Runtimes } from './runtimes.ts';
import type { WorkloadStates } from './states.ts';
import type { WorkloadSettings } from './workload-settings.ts';

/** The parts of {@link WorkloadStart}. */
export interface WorkloadStartParts {
  /** The folder of the home. */
  readonly folder: string;
  readonly store: WorkloadStore;
  readonly runtimes: Runtimes;
  readonly states: WorkloadStates;
  readonly environment: EngineEnvironment;
  readonly settings: WorkloadSettings;
}

/** Starts workloads that the store has. */
export class WorkloadStart {
  constructor(private readonly parts: WorkloadStartParts) {}

  /** Starts an existing workload, unless it runs already. */
  async start(name: string, context: CommandContext): Promise<WorkloadState> {
    const { store, runtimes, states } = this.parts;
    const workload = states.require(name);
    const config = requireConfig(workload);
    const now = await states.get(name);
    if (now.status === 'running') return now;
    if (now.status === 'removing')
      throw new WorkloadError('conflict', `${name} is being removed`, [`gatehouse rm ${name}   finishes the removal`]);
    if (isAlive(workload.status?.process)) {
      if (now.status === 'starting') return states.waitForStart(name, context.abort);
      await endProcess(workload.status?.process?.pid, () => !isAlive(workload.status?.process));
    }
    const runtime = await runtimes.open(config);
    try {
      resolveConfiguredMounts(config, this.parts.folder);
      await runtime.ping();
      warnOfExposure(config, context);
      const launched = await this.startWith(runtime, config, 'missing', false, context);
      launched.release();
      return await states.get(name);
    } catch (error) {
      if (error instanceof ConcurrentStartError) return await states.waitForStart(name, context.abort);
      if (!context.abort.aborted)
        store.writeStatus(name, { status: 'error', context: getErrorMessage(error) }, new Date());
      else store.writeStatus(name, { status: 'stopped', stop_requested: true }, new Date());
      throw error;
    } finally {
      runtime.close();
    }
  }

  /** Starts a workload on its runtime, with its secrets, its overlays and its verified image. */
  async startWith(
    runtime: Runtime,
    config: RunConfig,
    refresh: ImageRefresh,
    foreground: boolean,
    context: CommandContext,
  ): Promise<StartedWorkload> {
    const { folder, store, settings } = this.parts;
    requireBuiltSections(config);
    await requireEnforceableAuthorization(config.authz_config);
    await requireUsableWebhooks(config);
    const secretVariables = await checkSecrets(config, settings.secretsSettings);
    if (isSignInConfigured(config.remote_auth_config) && settings.secretsSettings !== undefined) {
      const { prepareSession } = await import('../remote/sign-in/prepare-session.ts');
      await prepareSession(config, settings.secretsSettings, context);
    }
    const named = withGlobalIgnoreFile(config, config.ignore_config?.global_file ?? settings.globalIgnoreFile);
    if (named.ignore_config?.PrintOverlays === true && context.showOverlays !== undefined)
      context.showOverlays(await resolveConfiguredOverlays(named, folder));
    const hasImage = config.remote_url === undefined;
    const verified = refresh === 'moving' && hasImage ? await verifyImage(named, this.verification, context) : named;
    const complete = await runtime.prepareImage(healIsolation(verified, context.warn), refresh, context);
    store.writeConfigOfStart(complete);
    return runtime.start(complete, { ...context, foreground, secretVariables });
  }

  private get verification(): VerificationSettings {
    const { folder, environment, settings } = this.parts;
    return {
      home: folder,
      environment,
      trustedRootFile: settings.trustedRootFile,
      defaultMode: settings.verificationMode,
    };
  }
}
