import type { RunConfig } from '../configuration/run-config.ts';
import type { Home } from '../state/home.ts';
import type { Engine } from './engine.ts';

/** The context of every server on an engine. */
export interface ServerContext {
  readonly engine: Engine;
  readonly home: Home;
  readonly config: RunConfig;
  readonly log: (message: string) => void;
}
