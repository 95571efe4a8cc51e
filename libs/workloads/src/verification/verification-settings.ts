import type { VerificationMode } from '../flags/image-verification.ts';
import type { CredentialEnvironment } from '../registry-credentials/credential-files.ts';

/** The surroundings of a verification. */
export interface VerificationSettings {
  /** Folder of the state; it has the stored roots of trust. */
  readonly home: string;
  /** A file with the trusted root of a private Sigstore instance. */
  readonly trustedRootFile?: (() => string | undefined) | undefined;
  /** The mode of a configuration that names none, such as one of another machine. */
  readonly defaultMode?: (() => VerificationMode | undefined) | undefined;
  readonly environment: CredentialEnvironment;
}
