import { StandardSchemaValidationPipe } from '@nestjs/common';
import type { ArgumentMetadata } from '@nestjs/common';
import { checkText } from './json-body.ts';
import { Refusal } from './refusal.ts';
import { sentenceOf, violationsOf } from './sentences.ts';
import type { SchemaIssue } from './sentences.ts';

/** More than this is noise; the caller mends these first. */
const MAX_NAMED = 5;
const MAX_VIOLATIONS = 50;

/** A refusal that names every field that breaks its schema. */
export function refusalOf(issues: readonly SchemaIssue[]): Refusal {
  const more = issues.length > MAX_NAMED ? `; and ${issues.length - MAX_NAMED} more` : '';
  return new Refusal('invalid', issues.slice(0, MAX_NAMED).map(sentenceOf).join('; ').slice(0, 2000) + more, {
    violations: issues.flatMap(violationsOf).slice(0, MAX_VIOLATIONS),
  });
}

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
    if (metadata.type === 'query' || metadata.type === 'param') checkParameters(value, metadata.data ?? '');
    return super.transform(value, metadata);
  }

  // The body parser refuses such keys, so there is nothing to take out; silently dropping them would hide an unknown field.
  protected override stripProtoKeys(): void {}
}

function checkParameters(value: unknown, name: string): void {
  if (typeof value === 'string') checkText(value, name);
  else if (Array.isArray(value)) value.forEach((item) => checkParameters(item, name));
  else if (value !== null && typeof value === 'object') {
    for (const [key, part] of Object.entries(value)) {
      checkText(key, 'query');
      if (key === '__proto__') throw refusalOf([{ message: 'is not a known field', path: [key] }]);
      checkParameters(part, key);
    }
  }
}
