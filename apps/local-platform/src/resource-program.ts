import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { execFile } from 'node:child_process';
import { PARENT_GUARD } from './child.ts';
import type { ServiceProgram } from './services.ts';

/** The AIGateway and the AIPolicies of the platform cannot be used. */
export class ResourcesUnusableError extends GatehouseError {
  override readonly code = 'resources_unusable';
}

/** The result of the program that prepares the resources; it prints it as JSON. */
export interface PreparedResources {
  /** Lines for the user. */
  readonly lines: readonly string[];
  /** The managed secrets that the AIGateway names as keys of its providers. */
  readonly managedSecretIds: readonly string[];
}

/**
 * Runs the program that creates missing resources, until it ends.
 * @throws {ResourcesUnusableError} with its message
 */
export function runResourceProgram({ main, env }: Pick<ServiceProgram, 'main' | 'env'>): Promise<PreparedResources> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--import', PARENT_GUARD, main], { env }, (cause, stdout, stderr) => {
      if (cause === null) resolve(JSON.parse(stdout) as PreparedResources);
      else reject(new ResourcesUnusableError(stderr.trimEnd() || cause.message, { cause }));
    });
  });
}
