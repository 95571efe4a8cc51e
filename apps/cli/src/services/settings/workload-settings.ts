import type { EngineEnvironment } from '@gatehouse/workloads/engine/engine-address';
import { parseVerificationMode } from '@gatehouse/workloads/flags/image-verification';
import type { WorkloadSettings } from '@gatehouse/workloads/lifecycle/workload-settings';
import type { CliConfig } from '../../config/config.ts';
import { requireSetting, type SettingValue } from './definitions.ts';
import { readStoredSetting } from './stored-settings.ts';

/**
 * Completes the environment with the settings for new workloads. Variables have precedence. A
 * setting is read when it is needed, so that a damaged one does not keep workloads from being
 * listed or removed.
 */
export function addWorkloadSettings(
  { home, engine, networkRange, egressNameserver, proxyVariables, globalIgnoreFile }: CliConfig,
  others: WorkloadSettings,
): { engine: EngineEnvironment; settings: WorkloadSettings } {
  const read = (key: string): SettingValue | undefined => readStoredSetting(home, requireSetting(key));
  return {
    engine: {
      ...engine,
      get setting() {
        const address = read('engine');
        return typeof address === 'string' ? address : undefined;
      },
    },
    settings: {
      ...others,
      proxyVariables,
      egressNameserver,
      verificationMode: () => {
        const mode = read('image_verification');
        return typeof mode === 'string' ? parseVerificationMode(mode) : undefined;
      },
      trustedRootFile: () => {
        const path = read('trusted_root');
        return typeof path === 'string' ? path : undefined;
      },
      globalIgnoreFile,
      get networkRange() {
        if (networkRange) return networkRange;
        const ranges = read('network_range');
        return Array.isArray(ranges) ? ranges.join(',') : undefined;
      },
    },
  };
}
