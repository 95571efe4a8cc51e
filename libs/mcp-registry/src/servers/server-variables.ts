import type { InputWithVariables } from '../document/inputs.ts';
import type { ServerPackage } from '../document/server-entry.ts';
import { resolveInput } from './input-value.ts';
import type { ServerVariable } from './registry-server.ts';

/** Converts an environment variable or a header of an entry. */
export function toServerVariable(name: string, input: InputWithVariables): ServerVariable {
  const { value, ...rules } = resolveInput(input);
  return { name, ...rules, default: value };
}

/** The environment variables of a package, and what its runtime arguments could not be used for. */
export interface PackageVariables {
  readonly variables: readonly ServerVariable[];
  readonly warnings: readonly string[];
}

/**
 * The environment variables of a package in their order: its `environmentVariables`, then those
 * that its runtime arguments set (`-e NAME={value}` of docker). Other runtime arguments have no
 * effect, since they could widen the rights of a container.
 */
export function readPackageVariables(declared: ServerPackage): PackageVariables {
  const variables = new Map(
    (declared.environmentVariables ?? []).map((input) => [input.name, toServerVariable(input.name, input)]),
  );
  const warnings: string[] = [];
  for (const argument of declared.runtimeArguments ?? []) {
    const [, name, value] = SET_VARIABLE.exec(argument.value ?? '') ?? [];
    const isVariable = argument.type === 'named' && (argument.name === '-e' || argument.name === '--env');
    if (!isVariable || name === undefined)
      warnings.push(
        `the runtime argument ${argument.type === 'named' ? argument.name : (argument.value ?? '')} has no effect`,
      );
    else if (!variables.has(name)) variables.set(name, toServerVariable(name, { ...argument, value: value ?? '' }));
  }
  return { variables: [...variables.values()], warnings };
}

const SET_VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;
