import type { ArgumentInput } from '../document/inputs.ts';
import { resolveInput } from './input-value.ts';
import type { MissingArgument, ServerArguments } from './registry-server.ts';

/**
 * Flattens the arguments of a package: a flag is followed by its value. An optional argument
 * without a value is left out; a required one is missing.
 */
export function flattenArguments(declared: readonly ArgumentInput[]): ServerArguments {
  const values: string[] = [];
  const missing: MissingArgument[] = [];
  for (const argument of declared) {
    const { value, required, description } = resolveInput(argument);
    const flag = argument.type === 'named' ? [argument.name] : [];
    if (value !== undefined) values.push(...flag, value);
    else if (isBareFlag(argument)) values.push(...flag);
    else if (required) missing.push({ name: flag[0] ?? argument.valueHint ?? 'argument', description });
  }
  return { values, missing };
}

/** A required flag of which nothing says that it has a value. */
function isBareFlag(argument: ArgumentInput): boolean {
  const { type, isRequired, isSecret, valueHint, placeholder, choices, format, value } = argument;
  const hasValue = [valueHint, placeholder, choices, format, value].some((one) => one !== undefined);
  return type === 'named' && isRequired && !isSecret && !hasValue;
}
