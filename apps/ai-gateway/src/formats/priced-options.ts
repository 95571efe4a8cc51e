import { ModelCallError } from './model-call-error.ts';
import type { JsonObject } from './model-request.ts';
import type { WireFormat } from './operation.ts';

interface PricedOption {
  readonly member: string;
  /** The values that cost at most the standard rates, in lower case. */
  readonly values: readonly string[];
}

/**
 * The options by which a request can cost more than the standard rates, which are the only ones
 * that prices have (docs/money.md).
 */
const PRICED_OPTIONS: Readonly<Record<WireFormat, readonly PricedOption[]>> = {
  openai: [{ member: 'service_tier', values: ['auto', 'default', 'flex', 'standard', 'on_demand'] }],
  anthropic: [
    { member: 'speed', values: ['standard'] },
    { member: 'inference_geo', values: ['global'] },
  ],
  google: ['serviceTier', 'service_tier'].map((member) => ({ member, values: ['standard', 'flex', 'unspecified'] })),
};

/** The names of the options of a format. */
export const listPricedOptions = (format: WireFormat): readonly string[] =>
  PRICED_OPTIONS[format].map(({ member }) => member);

/**
 * Refuses options whose cost the gateway could not charge.
 * @throws ModelCallError `invalid_request`
 */
export function requirePricedOptions(format: WireFormat, body: JsonObject): void {
  for (const { member, values } of PRICED_OPTIONS[format]) {
    const value = body[member];
    if (value === undefined || value === null) continue;
    if (typeof value === 'string' && values.includes(value.toLowerCase())) continue;
    throw new ModelCallError(
      'invalid_request',
      `'${member}' must be ${values.join(' or ')}: the gateway has no prices for other values. Remove '${member}'.`,
      { field: member, reason: 'option_without_price' },
    );
  }
}
