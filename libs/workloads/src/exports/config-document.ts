import { readRunConfig, type RunConfig } from '../configuration/run-config.ts';
import { getErrorMessage } from '../errors/workload-error.ts';
import { parseJsonDocument } from '../files/json-document.ts';
import type { Refuse } from './config-fields.ts';

/**
 * Reads a document into a configuration.
 * @param changed fields that take the place of those of the document; undefined ones do not
 * @throws WorkloadError of `refuse`
 */
export function readDocument(
  text: string,
  changed: { readonly name?: string | undefined; readonly group?: string | undefined },
  refuse: Refuse,
): RunConfig {
  let parsed: unknown;
  try {
    parsed = parseJsonDocument(text);
  } catch (error) {
    throw refuse(getErrorMessage(error));
  }
  try {
    const { name, group } = changed;
    const fields = { ...(name !== undefined && { name }), ...(group !== undefined && { group }) };
    return readRunConfig(JSON.stringify(isObject(parsed) ? { ...parsed, ...fields } : parsed));
  } catch (error) {
    throw refuse(`cannot be used: ${getErrorMessage(error)}`);
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a workload has another name than its document. */
export const isRenamed = (document: string, name: string): boolean =>
  (JSON.parse(withoutMark(document)) as { name?: unknown }).name !== name;

/** The byte order mark that some editors write. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');
