import { resolve } from 'node:path';
import { describeFileProblem } from '@gatehouse/local-files/file-problem';
import { readSmallText } from '@gatehouse/local-files/text-file';
import type * as z from 'zod/mini';
import { PermissionProfile } from './permission-profile.ts';
import { flagError, getErrorMessage, type WorkloadError } from '../errors/workload-error.ts';
import { parseJsonDocument } from '../files/json-document.ts';
import { BUILT_IN_PROFILES } from './built-in-profiles.ts';
import { resolveProfileMounts } from './profile-mounts.ts';
import { listUnknownMembers } from './unknown-members.ts';

/** A permission profile that the user has chosen. */
export interface RequestedProfile {
  /** The name of a built-in profile, or the absolute path of a file. */
  readonly nameOrPath: string;
  readonly profile: PermissionProfile;
  /** Members of the file that have no effect, one sentence each. */
  readonly warnings: readonly string[];
}

const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads `--permission-profile`: the name of a built-in profile, or a JSON file.
 * @param folder the folder of a relative path
 * @throws WorkloadError (usage) that names the file and its invalid member
 */
export function readRequestedProfile(text: string, folder: string): RequestedProfile {
  const builtIn = BUILT_IN_PROFILES.get(text);
  if (builtIn !== undefined) return { nameOrPath: builtIn.name ?? text, profile: builtIn, warnings: [] };
  const path = resolve(folder, text);
  const refuse = (problem: string) => flagError(`--permission-profile ${text}`, problem);
  const result = PermissionProfile.safeParse(parseFile(path, text, refuse));
  if (!result.success) throw refuse(describeIssue(result.error.issues[0]));
  const { profile, ignored } = resolveProfileMounts(result.data, folder, (member, problem) =>
    flagError(`--permission-profile ${text}: ${member}`, problem),
  );
  const warnings = [
    ...listUnknownMembers(profile).map((member) => `${text}: ${member} is not a member of permission profiles`),
    ...ignored.map((member) => `${text}: ${member} is a resource of the container engine, which cannot be mounted`),
  ].map((problem) => `${problem}; it has no effect`);
  return { nameOrPath: path, profile, warnings };
}

function parseFile(path: string, text: string, refuse: (problem: string) => WorkloadError): unknown {
  if (text === '' || text.includes('\0')) throw refuse('is neither none nor network, nor the path of a JSON file');
  let document: string;
  try {
    document = readSmallText(path, MAX_FILE_BYTES);
  } catch (error) {
    throw refuse(`is neither none nor network, and the file cannot be read: ${describeFileProblem(error)}`);
  }
  try {
    return parseJsonDocument(document);
  } catch (error) {
    throw refuse(getErrorMessage(error));
  }
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const member = issue?.path.join('.') ?? '';
  const rule = describeRule(issue);
  return member === '' ? `is not valid: the document ${rule}` : `is not valid: ${member} ${rule}`;
}

function describeRule(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_type') return `must be ${NOUNS[issue.expected] ?? issue.expected}`;
  return 'must be a port, a whole number from 1 to 65535';
}

/** The JSON types of the format. */
const NOUNS: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  int: 'a port, a whole number from 1 to 65535',
  number: 'a port, a whole number from 1 to 65535',
};
