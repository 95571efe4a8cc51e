import { StandardSchemaValidationPipe } from '@nestjs/common';
import type { ArgumentMetadata } from '@nestjs/common';
import { checkText } from './json-body.ts';
import { refusalOf } from './sentences.ts';

/** Nest's Standard Schema pipe, answering in sentences that name the field. Text in path and query is held to the same rules as text in a body. */
export class ValidationPipe extends StandardSchemaValidationPipe {
  constructor() {
    super({
      exceptionFactory: (issues) => {
        throw refusalOf(issues);
      },
    });
  }

  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    if (metadata.type === 'query' || metadata.type === 'param')
      checkParameters(value, metadata.data === undefined ? [] : [metadata.data]);
    return super.transform(value, metadata);
  }

  // The body parser refuses such keys, so there is nothing to take out; silently dropping them would hide an unknown field.
  protected override stripProtoKeys(): void {}
}

function checkParameters(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value === 'string') checkText(value, path);
  else if (Array.isArray(value)) throw refusalOf([{ message: 'is given more than once', path }]);
  else if (value !== null && typeof value === 'object') {
    for (const [key, part] of Object.entries(value)) {
      checkText(key, ['query']);
      if (key === '__proto__') throw refusalOf([{ message: 'is not a known field', path: [key] }]);
      checkParameters(part, [key]);
    }
  }
}
