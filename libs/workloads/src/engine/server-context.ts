import type { NetworkIsolation } from './network-isolation.ts';
import type { SecretsReader } from '../secrets/secrets-reader.ts';
import type { WorkloadContext } from './workload-context.ts';

/** The context of every server on an engine. */
export interface ServerContext extends WorkloadContext {
  /** Reads the secrets of the workload. Their values exist in the body of a create call only. */
  readonly readSecrets: SecretsReader;
  /** Resolves when the first attempt to create the networks has ended. */
  readonly networks: Promise<unknown>;
  /** Undefined for a network that is not isolated. */
  readonly isolation?: NetworkIsolation | undefined;
}
