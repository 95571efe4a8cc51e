import { WorkloadError, getErrorMessage } from '../errors/workload-error.ts';
import { parseJsonDocument } from '../files/json-document.ts';
import type { ValuePath } from '../files/structured-file.ts';
import type { AuthorizationConfig } from './authorization-schema.ts';

/** The reason why an authorization configuration cannot be enforced. */
export interface AuthorizationProblem {
  /** The member that is not valid. */
  readonly path: ValuePath;
  readonly problem: string;
  /** The line in the text of a policy. */
  readonly line?: number;
}

const ENTITY_TYPE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Checks a configuration, its policies with Cedar. It loads Cedar only for valid members. */
export async function findAuthorizationProblem(config: AuthorizationConfig): Promise<AuthorizationProblem | undefined> {
  return findMemberProblem(config) ?? findPolicyProblem(config);
}

function findMemberProblem({ version, type, cedar }: AuthorizationConfig): AuthorizationProblem | undefined {
  if (version !== '1.0')
    return { path: ['version'], problem: `is ${JSON.stringify(version)}; this version of gatehouse reads "1.0"` };
  if (type === 'httpv1')
    return {
      path: ['type'],
      problem: 'httpv1 asks another service, which this version of gatehouse does not; use cedarv1',
    };
  if (type !== 'cedarv1') return { path: ['type'], problem: `${JSON.stringify(type)} is not a type; use cedarv1` };
  if (cedar == null) return { path: ['cedar'], problem: 'is missing; it has the policies' };
  if (cedar.policies.length === 0)
    return { path: ['cedar', 'policies'], problem: 'has no policy; without one nothing is allowed' };
  if (cedar.primary_upstream_provider)
    return {
      path: ['cedar', 'primary_upstream_provider'],
      problem: 'needs the claims of another identity provider, which this version of gatehouse does not have',
    };
  if (cedar.group_entity_type && !ENTITY_TYPE.test(cedar.group_entity_type))
    return { path: ['cedar', 'group_entity_type'], problem: 'is not a name of letters, digits and _' };
  try {
    if (cedar.entities_json?.trim()) parseJsonDocument(cedar.entities_json);
  } catch (error) {
    return { path: ['cedar', 'entities_json'], problem: getErrorMessage(error) };
  }
  return undefined;
}

async function findPolicyProblem({ cedar }: AuthorizationConfig): Promise<AuthorizationProblem | undefined> {
  const { parseRules } = await import('@gatehouse/proxy/authorization/cedar-authorizer');
  const { PolicyListError } = await import('@gatehouse/policy/entities/entity-policies');
  const { EntitiesError } = await import('@gatehouse/policy/entities/static-entities');
  try {
    parseRules(cedar ?? { policies: [] });
    return undefined;
  } catch (error) {
    if (error instanceof EntitiesError) return { path: ['cedar', 'entities_json'], problem: error.message };
    if (!(error instanceof PolicyListError)) throw error;
    const { index, line, column, message } = error.fault;
    return {
      path: ['cedar', 'policies', index],
      problem: `${message} (line ${line}, column ${column} of the policy)`,
      line,
    };
  }
}

/**
 * Requires that the authorization of a workload can be enforced, before anything starts.
 * @throws WorkloadError (usage) that names the member
 */
export async function requireEnforceableAuthorization(config: AuthorizationConfig | null | undefined): Promise<void> {
  const found = config == null ? undefined : await findAuthorizationProblem(config);
  if (found === undefined) return;
  throw new WorkloadError(
    'usage',
    `The configuration has no valid authz_config.${found.path.join('.')}: ${found.problem}`,
    ['correct the policies and give the file again with --authz-config'],
  );
}
