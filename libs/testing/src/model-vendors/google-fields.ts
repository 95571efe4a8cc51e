import { toCamelCase } from './google-schemas.ts';
import { VendorRefusal } from './refusal.ts';
import { parseWith, type SchemaFault } from './schema.ts';
import type { z } from 'zod';

/**
 * Parses a body of Google.
 * @throws {VendorRefusal} 400 INVALID_ARGUMENT
 */
export const parseGoogle = <T>(schema: z.ZodType<T>, body: unknown): T =>
  parseWith(schema, toCamelCase(body), refuseField);

function refuseField({ path, message, unknownField, isMissing }: SchemaFault): VendorRefusal {
  const field = path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );
  const refuse = (text: string) => new VendorRefusal(400, 'INVALID_ARGUMENT', text, null, field === '' ? null : field);
  if (unknownField !== undefined) {
    const place = field === '' ? '' : ` at '${field}'`;
    return refuse(`Invalid JSON payload received. Unknown name "${unknownField}"${place}: Cannot find field.`);
  }
  if (isMissing) return refuse(`* GenerateContentRequest.${field}: ${field} is not specified`);
  return refuse(`Invalid value at '${field}': ${message}`);
}
