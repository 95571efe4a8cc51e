import type { JsonObject } from '../formats/model-request.ts';
import type { WireFormat } from '../formats/operation.ts';

/** The treatment of a part of a request at a provider of another format. */
export type Cell =
  /** It is translated: the request to the provider has these members. */
  | { readonly kind: 'yes'; readonly members: JsonObject }
  /** It is refused with 422, which names the field. */
  | { readonly kind: 'refused'; readonly field: string }
  /** It is left out, because it cannot change the answer. */
  | { readonly kind: 'ignored' };

/** One feature of a request, and what each provider gets. */
export interface RequestFeature {
  readonly feature: string;
  /** The members of a request that differ from the plain one of the format. */
  readonly members: JsonObject;
  /** Why the members have no effect, for a feature that is ignored or has a rule. */
  readonly rule?: string;
  readonly to: Readonly<Partial<Record<WireFormat, Cell>>>;
}

export const yes = (members: JsonObject): Cell => ({ kind: 'yes', members });
export const refused = (field: string): Cell => ({ kind: 'refused', field });
export const ignored: Cell = { kind: 'ignored' };

/** A picture of one pixel, in base64. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PDF = 'JVBERi0xLjQK';

/** The schema of the input of the tool in all features. */
export const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
