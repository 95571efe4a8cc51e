import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { mapInSlices } from '../concurrency/pacer.ts';

/** A value from another service does not match its contract. */
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

/** A plain object that matches a class of a contract. */
export type Received<T> = { [Member in keyof T]: T[Member] };

/**
 * Checks a value that another service sent, with a class of its contract.
 * @param type a class of `@gatehouse/contracts-<service>/dto`
 * @param pointer JSON pointer of the value in its document
 * @returns the value itself, with members that the contract does not name
 * @throws ContractViolationError that names the field
 */
export function checkReceived<T extends object>(type: ClassConstructor<T>, value: unknown, pointer = ''): Received<T> {
  if (!isObject(value)) throw new ContractViolationError(pointer, ['must be an object']);
  const [first] = validateSync(plainToInstance(type, value), { forbidUnknownValues: false, stopAtFirstError: true });
  if (first !== undefined) throw violation(first, pointer);
  return value as Received<T>;
}

/**
 * Decides about an invalid item of a list: returns the items that take its place, or throws.
 * @param violation names the item and its field
 */
export type InvalidItemHandler<Substitute> = (value: unknown, violation: ContractViolationError) => Substitute[];

const refuseList: InvalidItemHandler<never> = (_, violation) => {
  throw violation;
};

/**
 * Checks a list that another service sent, item by item. Yields to the event loop in a long list.
 * @param onInvalid decides about each invalid item; by default the first one refuses the list
 * @returns the valid items and the substitutes of the others, in order
 * @throws ContractViolationError that names the item and its field
 */
export async function checkReceivedItems<T extends object, Substitute = never>(
  type: ClassConstructor<T>,
  values: unknown,
  pointer = '',
  onInvalid: InvalidItemHandler<Substitute> = refuseList,
): Promise<(Received<T> | Substitute)[]> {
  if (!Array.isArray(values)) throw new ContractViolationError(pointer, ['must be an array']);
  const checked = await mapInSlices(values, (value: unknown, at) => {
    try {
      return [checkReceived(type, value, `${pointer}/${at}`)];
    } catch (error) {
      if (error instanceof ContractViolationError) return onInvalid(value, error);
      throw error;
    }
  });
  return checked.flat();
}

/** A document whose items of these lists are unchecked. */
export type ReceivedFrame<T, Lists extends keyof T> = Received<Omit<T, Lists>> & {
  [Member in Lists]: T[Member] extends readonly object[] ? readonly unknown[] : readonly unknown[] | undefined;
};

/**
 * Checks a document that another service sent, without the items of its long lists.
 * @param lists the long lists; the contract must not require a minimum number of their items
 * @returns the document itself
 * @throws ContractViolationError that names the field
 */
export function checkReceivedFrame<T extends object, Lists extends keyof T & string>(
  type: ClassConstructor<T>,
  value: unknown,
  lists: readonly Lists[],
): ReceivedFrame<T, Lists> {
  if (!isObject(value)) throw new ContractViolationError('', ['must be an object']);
  const present = lists.filter((member) => Array.isArray(Reflect.get(value, member)));
  checkReceived(type, { ...value, ...Object.fromEntries(present.map((member) => [member, []])) });
  return value as ReceivedFrame<T, Lists>;
}

/** The class of the items of each long list of a document, by its member. */
export type ItemTypes<T> = {
  readonly [Member in keyof T]?: NonNullable<T[Member]> extends readonly object[] ? ClassConstructor<object> : never;
};

/**
 * Checks a document that another service sent. Its long lists are checked item by item, with
 * yields to the event loop.
 * @param itemTypes the long lists; the contract must not require a minimum number of their items
 * @throws ContractViolationError that names the field
 */
export async function checkReceivedDocument<T extends object>(
  type: ClassConstructor<T>,
  value: unknown,
  itemTypes: ItemTypes<T>,
): Promise<Received<T>> {
  const frame: object = checkReceivedFrame(type, value, Object.keys(itemTypes) as (keyof T & string)[]);
  for (const [member, itemType] of Object.entries<ClassConstructor<object> | undefined>(itemTypes)) {
    const list: unknown = Reflect.get(frame, member);
    if (itemType !== undefined && Array.isArray(list)) await checkReceivedItems(itemType, list, `/${member}`);
  }
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
