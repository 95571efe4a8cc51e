import { EGRESS_LABEL } from './containers.ts';
import type { Engine } from './engine.ts';
import { OPT_OUT } from './isolation-error.ts';
import { type ContainerProgram, ensureProgramImage, nameProgramImage } from './program-image.ts';

/** The program of egress containers. */
const createProgram = (): ContainerProgram => ({
  url: import.meta.resolve('@gatehouse/workloads/isolation/sidecar'),
  // No registry has this name, so that it is never pulled.
  repository: 'gatehouse.invalid/egress',
  purpose: 'network isolation',
  labels: [EGRESS_LABEL],
  tryNext: [OPT_OUT],
});

/** Names the image for an engine. Its content decides the name. */
export const nameEgressImage = (engine: Engine) => nameProgramImage(engine, createProgram());

/** Builds the image unless the engine has it. @returns the name of the image */
export const ensureEgressImage = (
  engine: Engine,
  progress: (text: string) => void,
  abort?: AbortSignal,
): Promise<string> => ensureProgramImage(engine, createProgram(), progress, abort);
