import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { execFile } from 'node:child_process';
import { PARENT_GUARD } from './child.ts';
import type { ServiceProgram } from './services.ts';

/** The AIGateway and the AIPolicies of the platform cannot be used. */
export class ResourcesUnusableError extends GatehouseError {
  override readonly code = 'resources_unusable';
}

/**
 * Runs the program that creates missing resources, until it ends.
 * @returns its lines for the user
 * @throws {ResourcesUnusableError} with its message
 */
export function runResourceProgram({ main, env }: Pick<ServiceProgram, 'main' | 'env'>): Promise<string[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--import', PARENT_GUARD, main], { env }, (cause, stdout, stderr) => {
      if (cause === null) resolve(stdout.split('\n').filter((line) => line !== ''));
      else reject(new ResourcesUnusableError(stderr.trimEnd() || cause.message, { cause }));
    });
  });
}
