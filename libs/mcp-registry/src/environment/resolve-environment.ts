import type { ServerVariable } from '../servers/registry-server.ts';
import { InvalidChoiceError, MissingEnvironmentError } from './missing-environment-error.ts';

/** A value of an environment variable that the user did not supply with a flag. */
export interface ResolvedVariable {
  readonly name: string;
  readonly value: string;
  /** Whether the value must not be stored or shown in clear. */
  readonly secret: boolean;
  /** `default`: the entry has it. `answer`: the user typed it. */
  readonly origin: 'default' | 'answer';
}

/** The variables of a server, and the sources of their values. */
export interface EnvironmentRequest {
  /** Name of the entry, for messages. */
  readonly server: string;
  readonly variables: readonly ServerVariable[];
  /** Values from files and flags by name; undefined for a value that comes from a secret. */
  readonly supplied: ReadonlyMap<string, string | undefined>;
  /**
   * Asks the user for a value; undefined without a terminal. The answer to a secret must not be
   * echoed. An empty answer is asked again.
   */
  readonly ask: ((variable: ServerVariable) => Promise<string>) | undefined;
}

/**
 * The values that a server needs besides the supplied ones: answers and defaults, in the order of
 * the entry. A supplied variable is never asked for (spec/5, 6).
 * @throws MissingEnvironmentError that names all missing variables, before the first question
 * @throws InvalidChoiceError for a supplied value that the entry does not allow
 */
export async function resolveEnvironment(request: EnvironmentRequest): Promise<ResolvedVariable[]> {
  const { server, variables, supplied, ask } = request;
  for (const variable of variables) checkSupplied(server, variable, supplied.get(variable.name));
  const open = variables.filter(({ name }) => !supplied.has(name));
  const missing = open.filter(({ required, default: preset }) => required && preset === undefined);
  if (missing.length > 0 && ask === undefined) throw new MissingEnvironmentError(server, missing);
  const resolved: ResolvedVariable[] = [];
  for (const variable of open) {
    const { name, secret, default: preset } = variable;
    if (preset !== undefined) resolved.push({ name, value: preset, secret, origin: 'default' });
    else if (variable.required && ask !== undefined)
      resolved.push({ name, value: await askUntilValid(variable, ask), secret, origin: 'answer' });
  }
  return resolved;
}

function checkSupplied(server: string, variable: ServerVariable, value: string | undefined): void {
  if (value !== undefined && !isAllowed(variable, value)) throw new InvalidChoiceError(server, variable);
}

async function askUntilValid(
  variable: ServerVariable,
  ask: (variable: ServerVariable) => Promise<string>,
): Promise<string> {
  for (;;) {
    const answer = (await ask(variable)).trim();
    if (answer !== '' && isAllowed(variable, answer)) return answer;
  }
}

const isAllowed = ({ choices }: ServerVariable, value: string): boolean =>
  choices.length === 0 || choices.includes(value);
