import type { VerificationMode } from '../flags/image-verification.ts';
import type { KubernetesSettings } from '../flags/cluster-address.ts';
import type { SecretsSettingsSource } from '../secrets/check-secrets.ts';

/** The settings of workloads. */
export interface WorkloadSettings {
  /** See {@link parseNetworkRanges}. */
  readonly networkRange?: string | undefined;
  /** See {@link parseNameserver}. */
  readonly egressNameserver?: string | undefined;
  /** The ignore file of the user, which need not exist. */
  readonly globalIgnoreFile?: string | undefined;
  /** The variables of a proxy for builds, such as HTTP_PROXY. */
  readonly proxyVariables?: Readonly<Record<string, string>>;
  /** Without it, workloads with secrets cannot start. */
  readonly secretsSettings?: SecretsSettingsSource;
  /** The cluster of workloads on Kubernetes, and the image of their proxies. */
  readonly kubernetes?: KubernetesSettings;
  /** A file with the trusted root of a private Sigstore instance. */
  readonly trustedRootFile?: () => string | undefined;
  /** The mode of the verification of images for configurations that name none. */
  readonly verificationMode?: () => VerificationMode | undefined;
}
