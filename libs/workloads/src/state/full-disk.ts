import { WorkloadError } from '../errors/workload-error.ts';

/** Whether a file cannot be written, because the disk or the share of the user is full. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Writes a part of the state in a folder.
 * @throws WorkloadError (failed) for a full disk
 */
export function writeState<T>(folder: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new WorkloadError(
      'failed',
      `The disk of ${folder} is full, so that the workload cannot be stored`,
      ['free space on this disk', 'gatehouse rm NAME   removes a workload with its logs, also now'],
      error,
    );
  }
}
