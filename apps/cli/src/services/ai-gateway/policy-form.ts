import { hasFields } from '../../json/expected-fields.ts';
import { isJsonObject } from '../../json/json-object.ts';

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem);
const isAbsentOr = (value: unknown, isExpected: (value: unknown) => boolean): boolean =>
  value === undefined || isExpected(value);

/** Whether a document has the members of an AIPolicy that the commands use. */
export function isPolicy(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { metadata, spec, status } = value;
  return isJsonObject(metadata) && isSpec(spec) && isAbsentOr(status, isStatus);
}

/** Whether a document is a list of such policies. */
export const isPolicyList = (value: unknown): boolean => isJsonObject(value) && isListOf(value['items'], isPolicy);

const isSpec = (spec: unknown): boolean =>
  isJsonObject(spec) &&
  hasFields<{ name: string }>(spec['gatewayRef'], { name: 'text' }) &&
  isListOf(spec['principalMatchers'], (matcher) => isJsonObject(matcher) && isJsonObject(matcher['claims'])) &&
  isAbsentOr(spec['budgets'], (budgets) =>
    isListOf(budgets, (budget) => hasFields<{ models: string[] }>(budget, { models: 'texts' })),
  );

const isStatus = (status: unknown): boolean =>
  isJsonObject(status) && isAbsentOr(status['conditions'], (conditions) => isListOf(conditions, isCondition));

const isCondition = (condition: unknown): boolean =>
  hasFields<{ type: string; status: string; reason: string; message: string }>(condition, {
    ...{ type: 'text', status: 'text', reason: 'text', message: 'text' },
  });
