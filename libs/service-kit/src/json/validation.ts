import { StandardSchemaValidationPipe } from '@nestjs/common';
import type { ArgumentMetadata } from '@nestjs/common';
import { z } from 'zod';
import { faultsInTurns, withRequired } from './schema-check.ts';
import { validationError } from '../errors/sentences.ts';
import { checkText } from './strict-json.ts';

/**
 * Nest's Standard Schema pipe. Its messages name the field, and it stops at the sixth fault of a
 * large list or record. Texts in the path and query have the same rules as texts in a body.
 */
export class ValidationPipe extends StandardSchemaValidationPipe {
  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    const named = metadata.data === undefined ? [] : [metadata.data];
    if (metadata.type === 'query' || metadata.type === 'param') checkParameters(value, named);
    const { schema } = metadata;
    if (schema === undefined || !this.toValidate(metadata)) return value;
    if (metadata.type === 'body' && schema instanceof z.ZodType) {
      const faults = await faultsInTurns(schema, value);
      if (faults.length > 0) throw validationError(faults, 'stopped');
    }
    const result = await this.validate(value, schema, undefined);
    if (result.issues === undefined) return result.value as T;
    const required = result.issues.map((issue) => withRequired(issue, value));
    throw validationError(required.map((issue) => ({ ...issue, path: [...named, ...(issue.path ?? [])] })));
  }
}

function checkParameters(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value === 'string') checkText(value, path);
  else if (Array.isArray(value)) throw validationError([{ message: 'must be sent only once', path }]);
  else if (value !== null && typeof value === 'object') {
    for (const [key, part] of Object.entries(value)) {
      checkText(key, ['query']);
      if (key === '__proto__') throw validationError([{ message: 'is not a known field', path: [key] }]);
      checkParameters(part, [key]);
    }
  }
}
