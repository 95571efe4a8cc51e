// Generated from openapi.json by `npm run contracts`. Do not edit.
import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { ValidateBy, ValidateIf, validateSync } from 'class-validator';

type Check = (value: unknown) => boolean;

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is an object that conforms to a class. */
export const isValid = (type: ClassConstructor<object>, value: unknown): boolean =>
  isObject(value) && validateSync(plainToInstance(type, value)).length === 0;

/** Applies the other rules of a property to all values except these. */
export const UnlessOneOf = (...absent: unknown[]): PropertyDecorator =>
  ValidateIf((_, value) => !absent.includes(value));

/** Requires an object whose values all pass the check. */
export const EveryValue = (check: Check): PropertyDecorator =>
  ValidateBy({
    name: 'everyValue',
    validator: {
      validate: (value) => isObject(value) && Object.values(value).every(check),
      defaultMessage: (given) => `${given?.property ?? 'value'} must be an object with valid values`,
    },
  });

/** Requires a value that passes one of the checks. */
export const AnyOf = (...checks: Check[]): PropertyDecorator =>
  ValidateBy({
    name: 'anyOf',
    validator: {
      validate: (value) => checks.some((check) => check(value)),
      defaultMessage: (given) => `${given?.property ?? 'value'} must have one of the documented forms`,
    },
  });
