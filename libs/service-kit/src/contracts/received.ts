import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { Pacer } from '../concurrency/pacer.ts';

/** Another service sent something that its contract does not allow. */
export class ContractViolationError extends GatehouseError {
  override readonly code = 'contract_violation';
  constructor(
    /** JSON pointer (RFC 6901) of the first value that breaks a rule. */
    readonly pointer: string,
    /** The rules that it breaks. Names the field and never repeats its value. */
    readonly rules: readonly string[],
  ) {
    super(`${pointer === '' ? 'the value' : pointer}: ${rules.join('; ')}`);
  }
}

/**
 * Checks a value that another service sent, with a class of its contract.
 * @param type a class of `@gatehouse/contracts-<service>/dto`
 * @param pointer where the value lies in its document
 * @returns the value itself: members that the contract does not name stay
 * @throws ContractViolationError that names the field
 */
export function checkReceived<T extends object>(type: ClassConstructor<T>, value: unknown, pointer = ''): T {
  if (!isObject(value)) throw new ContractViolationError(pointer, ['must be an object']);
  const [first] = validateSync(plainToInstance(type, value), { forbidUnknownValues: false, stopAtFirstError: true });
  if (first !== undefined) throw violation(first, pointer);
  return value as T;
}

/**
 * Checks a list that another service sent, item by item. Long lists give the event loop back in
 * between.
 * @throws ContractViolationError that names the item and its field
 */
export async function checkReceivedItems<T extends object>(
  type: ClassConstructor<T>,
  values: unknown,
  pointer = '',
): Promise<T[]> {
  if (!Array.isArray(values)) throw new ContractViolationError(pointer, ['must be an array']);
  const pacer = new Pacer();
  for (const [at, value] of values.entries()) {
    checkReceived(type, value, `${pointer}/${at}`);
    if (pacer.isDue) await pacer.pause();
  }
  return values as T[];
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function violation({ property, constraints, children = [] }: ValidationError, above: string): ContractViolationError {
  const pointer = `${above}/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const [child] = children;
  if (constraints === undefined && child !== undefined) return violation(child, pointer);
  return new ContractViolationError(pointer, Object.values(constraints ?? {}));
}
