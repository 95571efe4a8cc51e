import { countContent } from './google-embeddings.ts';
import { generateContent } from './google-generate.ts';
import { VendorRefusal } from './refusal.ts';
import type { VendorOperation } from './reply.ts';

const refuse = (message: string) => new VendorRefusal(400, 'INVALID_ARGUMENT', message);

/** Vertex AI has no model and no other request in a body, and requires the role of each content. */
const checked =
  (operation: VendorOperation): VendorOperation =>
  (call) => {
    const body = call.body as { readonly contents?: unknown };
    for (const name of ['model', 'generateContentRequest'])
      if (name in body) throw refuse(`Invalid JSON payload received. Unknown name "${name}": Cannot find field.`);
    for (const content of Array.isArray(body.contents) ? (body.contents as { role?: unknown }[]) : [])
      if (content.role !== 'user' && content.role !== 'model') throw refuse('Please use a valid role: user, model.');
    return operation(call);
  };

const OPERATIONS: Readonly<Record<string, VendorOperation>> = {
  generateContent: checked(generateContent),
  streamGenerateContent: checked(generateContent),
  countTokens: checked(countContent),
};

/** Finds an operation of a model of Google; undefined for methods that are not simulated. */
export const findContentOperation = (name: string): VendorOperation | undefined => OPERATIONS[name];
