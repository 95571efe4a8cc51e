import { RegistryError } from '../registry-error.ts';
import type { ServerVariable } from '../servers/registry-server.ts';

/** A server needs environment variables that were not supplied. */
export class MissingEnvironmentError extends RegistryError {
  override readonly code = 'server_environment_missing' as const;

  /** @param server name of the entry */
  constructor(
    readonly server: string,
    readonly variables: readonly ServerVariable[],
  ) {
    const lines = variables.map(({ name, description }) => (description === '' ? name : `${name} (${description})`));
    super(
      `${server} needs ${variables.length === 1 ? 'an environment variable' : 'environment variables'}: ${lines.join(', ')}`,
      variables.flatMap(({ name, secret }) => createAdvice(name, secret)),
    );
  }
}

/** A value that is not one of the choices of its variable. */
export class InvalidChoiceError extends RegistryError {
  override readonly code = 'server_environment_missing' as const;

  constructor(server: string, { name, choices }: ServerVariable) {
    super(`${name} of ${server} must be one of ${choices.join(', ')}`, [`-e ${name}=${choices[0] ?? ''}`]);
  }
}

/** How a variable is supplied. A secret stays out of the history of the shell. */
function createAdvice(name: string, secret: boolean): string[] {
  return secret
    ? [
        `--secret SECRET,target=${name}   after gatehouse secret set SECRET`,
        `--env-file FILE   with the line ${name}=…`,
      ]
    : [`-e ${name}=VALUE   or --env-file FILE`];
}
