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
  { home, engine, networkRange, egressNameserver, proxyVariables, globalIgnoreFile, kubeconfigs }: CliConfig,
  others: WorkloadSettings,
): { engine: EngineEnvironment; settings: WorkloadSettings } {
  const read = (key: string): SettingValue | undefined => readStoredSetting(home, requireSetting(key));
  const readText = (key: string): string | undefined => {
    const value = read(key);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    engine: {
      ...engine,
      get setting() {
        return readText('engine');
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
      trustedRootFile: () => readText('trusted_root'),
      kubernetes: {
        kubeconfigs,
        get context() {
          return readText('kubernetes.context');
        },
        get namespace() {
          return readText('kubernetes.namespace');
        },
        get proxyImage() {
          return readText('kubernetes.proxy_image');
        },
        get registry() {
          return readText('kubernetes.registry');
        },
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
