import { describeFileProblem } from '@gatehouse/local-files/file-problem';
import { readSmallText } from '@gatehouse/local-files/text-file';
import { flagError } from '../errors/workload-error.ts';

const MAX_TOKEN_BYTES = 64 * 1024;

/** Reads a file with one token or secret. @throws WorkloadError (usage) that begins with `typed` */
export function readToken(path: string, typed: string): string {
  let text: string;
  try {
    text = readSmallText(path, MAX_TOKEN_BYTES).trim();
  } catch (error) {
    throw flagError(typed, `cannot be read: ${describeFileProblem(error)}`);
  }
  if (text === '') throw flagError(typed, 'is empty');
  return text;
}
