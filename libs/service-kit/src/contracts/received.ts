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

/** A plain object that keeps the rules of a class of a contract. */
export type Received<T> = { [Member in keyof T]: T[Member] };

/**
 * Checks a value that another service sent, with a class of its contract.
 * @param type a class of `@gatehouse/contracts-<service>/dto`
 * @param pointer where the value lies in its document
 * @returns the value itself: members that the contract does not name stay
 * @throws ContractViolationError that names the field
 */
export function checkReceived<T extends object>(type: ClassConstructor<T>, value: unknown, pointer = ''): Received<T> {
  if (!isObject(value)) throw new ContractViolationError(pointer, ['must be an object']);
  const [first] = validateSync(plainToInstance(type, value), { forbidUnknownValues: false, stopAtFirstError: true });
  if (first !== undefined) throw violation(first, pointer);
  return value as Received<T>;
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
): Promise<Received<T>[]> {
  if (!Array.isArray(values)) throw new ContractViolationError(pointer, ['must be an array']);
  const pacer = new Pacer();
  for (const [at, value] of values.entries()) {
    checkReceived(type, value, `${pointer}/${at}`);
    if (pacer.isDue) await pacer.pause();
  }
  return values as Received<T>[];
}

/** The class of the items of each long list of a document, by its member. */
export type ItemTypes<T> = {
  readonly [Member in keyof T]?: NonNullable<T[Member]> extends readonly object[] ? ClassConstructor<object> : never;
};

/**
 * Checks a document that another service sent. Its long lists are checked item by item, so that
 * the event loop is given back in between.
 * @param itemTypes the long lists; the contract must not require a minimum number of their items
 * @throws ContractViolationError that names the field
 */
export async function checkReceivedDocument<T extends object>(
  type: ClassConstructor<T>,
  value: unknown,
  itemTypes: ItemTypes<T>,
): Promise<Received<T>> {
  if (!isObject(value)) throw new ContractViolationError('', ['must be an object']);
  const lists = Object.entries<ClassConstructor<object> | undefined>(itemTypes).flatMap(([member, itemType]) => {
    const list: unknown = Reflect.get(value, member);
    return Array.isArray(list) && itemType !== undefined ? [{ member, itemType, list }] : [];
  });
  checkReceived(type, { ...value, ...Object.fromEntries(lists.map(({ member }) => [member, []])) });
  for (const { member, itemType, list } of lists) await checkReceivedItems(itemType, list, `/${member}`);
  return value as Received<T>;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function violation({ property, constraints, children = [] }: ValidationError, above: string): ContractViolationError {
  const pointer = `${above}/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const [child] = children;
  if (constraints === undefined && child !== undefined) return violation(child, pointer);
  return new ContractViolationError(pointer, Object.values(constraints ?? {}));
}
