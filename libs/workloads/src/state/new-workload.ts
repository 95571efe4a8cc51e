import type { createRunConfig } from '../configuration/create-run-config.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import type { RunRequest } from '../flags/run-request.ts';
import type { StartedWorkload } from '../runtime/runtime.ts';
import type { RequestedPort } from './free-ports.ts';
import type { WorkloadState } from './state.ts';

/** A workload whose server answers. */
export interface RunningWorkload {
  readonly state: WorkloadState;
  readonly launched: StartedWorkload;
}

/** The fields of a configuration that this machine decides. */
export type MachineFields = Parameters<typeof createRunConfig>[1];

/** A workload that is going to be created. */
export interface NewWorkload {
  readonly request: RunRequest;
  readonly port: RequestedPort | undefined;
  /** Whether the workload of the same name is removed first. */
  readonly replaces: boolean;
  readonly createConfig: (machine: MachineFields) => RunConfig;
}
