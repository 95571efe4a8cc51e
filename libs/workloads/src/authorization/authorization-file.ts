import { describeIssue } from '../files/schema-issue.ts';
import { readStructuredFile } from '../files/structured-file.ts';
import { type AuthorizationConfig, AuthorizationSchema } from './authorization-schema.ts';
import { findAuthorizationProblem } from './check-authorization.ts';

/** The authorization of a command line. */
export interface RequestedAuthorization {
  readonly config: AuthorizationConfig;
  /** The absolute path of the file. */
  readonly path: string;
}

/**
 * Reads and checks the file of `--authz-config`.
 * @param folder the folder of a relative path
 * @throws WorkloadError (usage) that names the flag, the line and the member
 */
export async function readAuthorizationFile(typed: string, folder: string): Promise<RequestedAuthorization> {
  const file = readStructuredFile('--authz-config', typed, folder);
  const parsed = AuthorizationSchema.safeParse(file.value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw file.refuse((issue?.path ?? []) as (string | number)[], describeIssue(issue));
  }
  const found = await findAuthorizationProblem(parsed.data);
  if (found !== undefined) throw file.refuse(found.path, found.problem, found.line);
  return { config: parsed.data, path: file.path };
}
