import { resolve } from 'node:path';
import { describeFileProblem } from '@gatehouse/local-files/file-problem';
import { readSmallText } from '@gatehouse/local-files/text-file';
import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import { parseYamlText, type YamlText } from '@gatehouse/yaml-files/yaml-text';
import { flagError, getErrorMessage, type WorkloadError } from '../errors/workload-error.ts';
import { parseJsonDocument } from './json-document.ts';

/** The path of a value in a document: names of members and indexes of items. */
export type ValuePath = readonly (string | number)[];

/** A file with one document of JSON or YAML. */
export interface StructuredFile {
  /** The absolute path. */
  readonly path: string;
  readonly value: unknown;
  /**
   * Creates the error for a value of the file, with its line.
   * @param lineOfText the line in a text with several lines, from 1
   */
  readonly refuse: (path: ValuePath, problem: string, lineOfText?: number) => WorkloadError;
}

const MAX_FILE_BYTES = 1024 * 1024;
const formatPath = (path: ValuePath): string => path.join('.') || 'the document';

/**
 * Reads the file of a flag.
 * @param typed the value of the flag
 * @param folder the folder of a relative path
 * @throws WorkloadError (usage) that names the flag, the file and the line
 */
export function readStructuredFile(flag: string, typed: string, folder: string): StructuredFile {
  const fail = (problem: string) => flagError(`${flag} ${typed}`, problem);
  if (typed === '' || typed.includes('\0')) throw fail('is not the path of a JSON or YAML file');
  const path = resolve(folder, typed);
  let text: string;
  try {
    text = readSmallText(path, MAX_FILE_BYTES);
  } catch (error) {
    throw fail(`cannot be read: ${describeFileProblem(error)}`);
  }
  const isJson = /^\uFEFF?\s*\{/.test(text);
  const yaml = isJson ? undefined : readYaml(text, fail);
  const value = isJson ? readJson(text, fail) : yaml?.value;
  const refuse = (at: ValuePath, problem: string, lineOfText = 1) => {
    const line = findLine(text, yaml ?? tryYaml(text), at, lineOfText);
    const place = line === undefined ? '' : `line ${line}, `;
    return fail(`is not valid: ${place}${formatPath(at)}: ${problem}`);
  };
  return { path, value, refuse };
}

function readJson(text: string, fail: (problem: string) => WorkloadError): unknown {
  try {
    return parseJsonDocument(text);
  } catch (error) {
    throw fail(getErrorMessage(error));
  }
}

function readYaml(text: string, fail: (problem: string) => WorkloadError): YamlText {
  try {
    return parseYamlText(text, formatPath);
  } catch (error) {
    if (!(error instanceof FileProblemError)) throw error;
    const { position, reason } = error;
    throw fail(position === undefined ? reason : `${reason} (line ${position.line}, column ${position.column})`);
  }
}

/** JSON is almost a part of YAML, whose parser knows lines. */
function tryYaml(text: string): YamlText | undefined {
  try {
    return parseYamlText(text, formatPath);
  } catch {
    return undefined;
  }
}

/** Only a literal text of YAML has one line of the file for each of its lines. */
function findLine(text: string, yaml: YamlText | undefined, path: ValuePath, lineOfText: number): number | undefined {
  const position = yaml?.findPosition(path);
  if (position === undefined) return undefined;
  const first = text.split('\n')[position.line - 1]?.[position.column - 1];
  return first === '|' ? position.line + lineOfText : position.line;
}
