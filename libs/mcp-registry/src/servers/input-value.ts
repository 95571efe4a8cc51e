import type { InputWithVariables } from '../document/inputs.ts';

/** The known facts about the value of an input before the user is asked. */
export interface InputValue {
  /** The value without an answer of a person; undefined if there is none. */
  readonly value: string | undefined;
  readonly required: boolean;
  readonly secret: boolean;
  readonly description: string;
  /** The allowed values; empty: any. */
  readonly choices: readonly string[];
}

/**
 * Resolves an input: its `value` with the values of its variables, else its `default`. A name in
 * braces that is no variable stays as it is (server.json, `Input.value`).
 */
export function resolveInput(input: InputWithVariables): InputValue {
  const { value, variables = {}, description = '', choices = [] } = input;
  if (value === undefined) return { ...pickRules(input), value: input.default, description, choices };
  const used = [...new Set([...value.matchAll(VARIABLE)].map(([, name = '']) => name))].flatMap((name) =>
    Object.hasOwn(variables, name) ? [[name, variables[name] ?? { isRequired: false, isSecret: false }] as const] : [],
  );
  const known = new Map(used.map(([name, variable]) => [name, variable.value ?? variable.default]));
  const isResolved = [...known.values()].every((one) => one !== undefined);
  const [only] = used.length === 1 && value === `{${used[0]?.[0] ?? ''}}` ? used : [];
  return {
    value: isResolved ? value.replace(VARIABLE, (text, name: string) => known.get(name) ?? text) : input.default,
    required: input.isRequired || used.some(([, variable]) => variable.isRequired),
    secret: input.isSecret || used.some(([, variable]) => variable.isSecret),
    description: description || (used.map(([, variable]) => variable.description).find(Boolean) ?? ''),
    choices: only?.[1].choices ?? choices,
  };
}

const VARIABLE = /\{([A-Za-z0-9_.-]+)\}/g;

const pickRules = ({ isRequired, isSecret }: InputWithVariables) => ({ required: isRequired, secret: isSecret });
