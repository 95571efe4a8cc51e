import type { RunConfig } from '../configuration/run-config.ts';
import type { Home } from '../state/home.ts';
import type { Engine } from './engine.ts';

/** A workload on an engine. */
export interface WorkloadContext {
  readonly engine: Engine;
  readonly home: Home;
  readonly config: RunConfig;
  readonly log: (message: string) => void;
}
