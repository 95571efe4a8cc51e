import type { SecretsProvider } from '../secrets-provider.ts';

const PREFIX = 'GATEHOUSE_SECRET_';

/** The environment variables of a command. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Secrets in environment variables `GATEHOUSE_SECRET_<NAME>`. It is read only, and lists
 * nothing. An empty variable counts as absent.
 */
export class EnvironmentSecrets implements SecretsProvider {
  readonly title = 'the environment';
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  readonly get = (name: string): Promise<string | undefined> =>
    Promise.resolve(this.#environment[`${PREFIX}${name}`] || undefined);

  readonly describeChange = (name: string): string => `set the environment variable ${PREFIX}${name}`;
}

/**
 * Adds the environment to a provider: it is asked for names that the provider does not have.
 */
export function addEnvironmentFallback(provider: SecretsProvider, environment: EnvironmentSecrets): SecretsProvider {
  return {
    title: `${provider.title} and ${environment.title}`,
    get: async (name) => (await provider.get(name)) ?? (await environment.get(name)),
    describeChange: provider.describeChange,
    ...(provider.list && { list: provider.list }),
    ...(provider.set && { set: provider.set }),
    ...(provider.delete && { delete: provider.delete }),
    ...(provider.createChildEnvironment && { createChildEnvironment: provider.createChildEnvironment }),
  };
}
