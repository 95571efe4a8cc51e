import {
  type EnvironmentRequest,
  resolveEnvironment,
  type ResolvedVariable,
} from '@gatehouse/mcp-registry/environment/resolve-environment';
import type { LocalServer, ServerVariable } from '@gatehouse/mcp-registry/servers/registry-server';
import type { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { mergeEnvironments } from '../flags/environment.ts';
import type { RunRequest } from '../flags/run-request.ts';

/** The answers of a person to questions about variables. */
export interface VariableAnswers {
  /** Asks for a value; undefined without a terminal. */
  readonly ask: EnvironmentRequest['ask'];
  /** Finds the stored answer to a required secret of an earlier run. */
  readonly find: (variable: ServerVariable) => Promise<SecretReference | undefined>;
  /** Stores the answer to a secret, so that the configuration needs only a reference to it. */
  readonly store: (variable: ResolvedVariable) => Promise<SecretReference>;
}

/**
 * Completes the environment of a request with the variables of an entry of the registry: defaults,
 * which every flag replaces, and answers. A variable of a flag is not asked for.
 * @throws RegistryError (server_environment_missing) that names all missing variables
 */
export async function addServerEnvironment(
  request: RunRequest,
  server: LocalServer,
  { ask, find, store }: VariableAnswers,
): Promise<RunRequest> {
  const supplied = new Map<string, string | undefined>(Object.entries(request.environment));
  for (const { target } of request.secrets) supplied.set(target, undefined);
  const secrets: SecretReference[] = [];
  for (const variable of server.environment.filter(isNeededSecret)) {
    const found = supplied.has(variable.name) ? undefined : await find(variable);
    if (found === undefined) continue;
    supplied.set(found.target, undefined);
    secrets.push(found);
  }
  const resolved = await resolveEnvironment({ server: server.name, variables: server.environment, supplied, ask });
  const isStored = ({ secret, origin }: ResolvedVariable) => secret && origin === 'answer';
  const values = resolved.filter((variable) => !isStored(variable)).map(({ name, value }) => [name, value] as const);
  for (const variable of resolved.filter(isStored)) secrets.push(await store(variable));
  return {
    ...request,
    environment: mergeEnvironments(Object.fromEntries(values), request.environment),
    secrets: [...secrets, ...request.secrets],
  };
}

const isNeededSecret = ({ required, secret, default: preset }: ServerVariable): boolean =>
  required && secret && preset === undefined;
