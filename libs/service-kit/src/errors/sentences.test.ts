import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { validationError } from './sentences.ts';

const sentence = (schema: z.ZodType, value: unknown): string => {
  const { error } = schema.safeParse(value);
  return error === undefined ? '' : validationError(error.issues).message;
};

describe('validationError', () => {
  it('names one fault for each field', () => {
    const time = z.iso.datetime().refine(() => false, 'must be a time since 1970');
    const schema = z.strictObject({ from: time, to: time });
    expect(sentence(schema, { from: 'yesterday', to: '1960-01-01T00:00:00Z' })).toBe(
      'from: must be a time as in RFC 3339, for example 2026-01-31T09:00:00Z; to: must be a time since 1970',
    );
  });

  it('names the bound of the field, not that of its type', () => {
    expect(sentence(z.strictObject({ tokens: z.int().max(1_000) }), { tokens: 1e30 })).toBe(
      'tokens: must be at most 1000',
    );
  });

  it('names unknown fields and the faults of the whole value', () => {
    const schema = z.strictObject({ a: z.string().optional() }).refine(() => false, 'something is missing');
    expect(sentence(schema, { b: 1 })).toBe('b: is not a known field; body: something is missing');
  });
});
