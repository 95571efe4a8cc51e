import { getErrorMessage } from '@gatehouse/workloads/errors/workload-error';
import { describeFileProblem } from '@gatehouse/local-files/file-problem';
import { readSmallText } from '@gatehouse/local-files/text-file';
import { UsageError } from '../errors/cli-error.ts';

/** Default for the largest input, in bytes. */
const LARGEST = 1024 * 1024;

/**
 * Reads the text of a file or of standard input. Other users of the machine can see a command's
 * arguments, but not this text.
 * @param file a path; undefined and `-` are standard input
 * @param what the expected content, for the error message
 * @param largest the most bytes
 * @throws UsageError without a readable text
 */
export async function inputText(file: string | undefined, what: string, largest = LARGEST): Promise<string> {
  if (file !== undefined && file !== '-') {
    try {
      return readSmallText(file, largest);
    } catch (cause) {
      throw new UsageError(`${file} cannot be read: ${describeFileProblem(cause)}`);
    }
  }
  if (process.stdin.isTTY) {
    throw new UsageError(`Give the ${what} on standard input, or in a file`, ['--file PATH']);
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > largest) throw new UsageError(`The ${what} is larger than ${largest / LARGEST} MiB`);
    parts.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new UsageError(`The ${what} on standard input is not UTF-8 text`, [], cause);
  }
}

/**
 * Reads a value, without the newline that `echo` and editors write at its end.
 * @throws UsageError for an empty value
 */
export async function inputValue(file: string | undefined, what: string): Promise<string> {
  const value = (await inputText(file, what)).replace(/\r?\n$/, '');
  if (value === '') throw new UsageError(`The ${what} is empty`);
  return value;
}

/** A JSON object, and its original text. */
export interface GivenObject {
  readonly object: Record<string, unknown>;
  readonly asWritten: string;
}

/** Reads a JSON object. @throws UsageError for any other input */
export async function inputObject(file: string | undefined, what: string, largest = LARGEST): Promise<GivenObject> {
  const asWritten = await inputText(file, what, largest);
  let value: unknown;
  try {
    value = JSON.parse(asWritten);
  } catch (cause) {
    throw new UsageError(`The ${what} is not JSON: ${getErrorMessage(cause)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { object: value as Record<string, unknown>, asWritten };
  }
  throw new UsageError(`The ${what} must be a JSON object`);
}
