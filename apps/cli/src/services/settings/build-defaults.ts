import { SCHEMES } from '@gatehouse/workloads/flags/package-reference';
import type { BuildFlags } from '@gatehouse/workloads/flags/build-flags';
import { REGISTRY_VARIABLES } from '@gatehouse/workloads/flags/build-environment';
import { readVariables } from '../../config/config.ts';
import { requireSetting, type SettingValue } from './definitions.ts';
import { readStoredSetting } from './stored-settings.ts';

/**
 * Completes the flags of builds with the settings, where the server is a package, and with the
 * registries of packages that the environment names.
 * @param source the server, such as `npx://NAME`
 */
export function addBuildDefaults<F extends BuildFlags>(source: string, flags: F, home: string): F {
  const scheme = SCHEMES.find((name) => source.startsWith(`${name}://`));
  if (scheme === undefined) return flags;
  const read = (key: string): SettingValue | undefined => readStoredSetting(home, requireSetting(key));
  const image = flags.runtimeImage ?? read(`runtime.${scheme}.image`);
  const packages = flags.runtimeAddPackage?.length ? flags.runtimeAddPackage : read(`runtime.${scheme}.packages`);
  const certificate = flags.caCert ?? read('ca_certificate');
  const buildEnvironment = flags.buildEnvironment ?? readVariables(REGISTRY_VARIABLES[scheme]);
  return {
    ...flags,
    buildEnvironment,
    ...(typeof image === 'string' && { runtimeImage: image }),
    ...(Array.isArray(packages) && { runtimeAddPackage: packages }),
    ...(typeof certificate === 'string' && { caCert: certificate }),
  };
}

/** The flags of the verification of images. */
interface VerificationFlags {
  readonly imageVerification?: string | undefined;
  readonly gatehouseCaBundle?: string | undefined;
}

/** Completes the flags of a run with the settings of the verification of images. */
export function addVerificationDefaults<F extends VerificationFlags>(flags: F, home: string): F {
  const mode = flags.imageVerification ?? readStoredSetting(home, requireSetting('image_verification'));
  const bundle = flags.gatehouseCaBundle ?? readStoredSetting(home, requireSetting('ca_bundle'));
  return {
    ...flags,
    ...(typeof mode === 'string' && { imageVerification: mode }),
    ...(typeof bundle === 'string' && { gatehouseCaBundle: bundle }),
  };
}

/** Completes `--ignore-globally` with its setting. */
export function addIgnoreDefault<F extends { readonly ignoreGlobally?: boolean | undefined }>(
  flags: F,
  home: string,
): F {
  const value = flags.ignoreGlobally ?? readStoredSetting(home, requireSetting('ignore_globally'));
  return { ...flags, ...(typeof value === 'boolean' && { ignoreGlobally: value }) };
}
