import type { RunConfig } from '../configuration/run-config.ts';
import type { SecretsReader } from '../secrets/secrets-reader.ts';
import type { Home } from '../state/home.ts';
import type { Engine } from './engine.ts';

/** The context of every server on an engine. */
export interface ServerContext {
  readonly engine: Engine;
  readonly home: Home;
  readonly config: RunConfig;
  /** Reads the secrets of the workload. Their values exist in the body of a create call only. */
  readonly readSecrets: SecretsReader;
  readonly log: (message: string) => void;
}
