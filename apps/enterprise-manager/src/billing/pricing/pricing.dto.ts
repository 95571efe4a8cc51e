import { pageParameters } from '@gatehouse/service-kit/paging';
import { checkedInTurns } from '@gatehouse/service-kit/schema-check';
import { z } from 'zod';
import { line, time } from '@gatehouse/service-kit/text';
import { uuid } from '../../validation/text.ts';
import {
  type CatalogViolation,
  findAliasViolations,
  findEntryViolation,
  findSpecViolation,
  MAX_ENTRIES,
  VERSION_STATES,
} from './catalog.ts';
import { AnthropicRates, GoogleRates, OpenaiRates, PricingToolRates } from './rate-blocks.dto.ts';

/** A name that can be a path segment; `.` and `..` have another meaning in a path. */
const pathName = (maximum: number) =>
  line(maximum).refine((text) => text !== '.' && text !== '..', 'must not be . or ..');

const providerName = () => pathName(200);
const modelName = () => pathName(300);

const names = {
  provider: providerName().describe('The provider as gateways report it, or the provider of an alias'),
  model: modelName().describe('The exact name of the model; it can contain slashes'),
};

const blocks = {
  anthropic: AnthropicRates.optional(),
  openai: OpenaiRates.optional(),
  google: GoogleRates.optional(),
};

interface Issues {
  addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string }): void;
}

const addIssues = (issues: Issues, violations: readonly (CatalogViolation | undefined)[]): void => {
  for (const violation of violations) if (violation !== undefined) issues.addIssue({ code: 'custom', ...violation });
};

/** The price of one model. */
export const PricingEntry = z
  .strictObject({ ...names, ...blocks })
  .meta({ id: 'PricingEntry', description: 'The price of a model: exactly one of the three rate blocks' });
export type PricingEntry = z.infer<typeof PricingEntry>;

/** Body of `PUT /v1/budgets/pricing/entries/{provider}/{model}`. */
export const PricingEntryWrite = z
  .strictObject(blocks)
  .superRefine((entry, issues) => addIssues(issues, [findEntryViolation({ provider: '', model: '', ...entry })]))
  .meta({
    id: 'PricingEntryWrite',
    description:
      'The price of a model: exactly one of the three rate blocks, with at least an input and an output rate',
  });
export type PricingEntryWrite = z.infer<typeof PricingEntryWrite>;

/** The prices of all models and tools. */
const PricingSpec = z
  .strictObject({
    entries: z
      .array(checkedInTurns(PricingEntry))
      .max(MAX_ENTRIES)
      .describe('At most one entry for each model of a provider'),
    tools: PricingToolRates.optional(),
  })
  .superRefine((spec, issues) => addIssues(issues, [findSpecViolation(spec)]))
  .meta({ id: 'PricingSpec', description: 'The prices of models and of tools' });

const MAX_ALIASES = 500;
const ALIASES =
  'Other names of providers: from the alias to the provider. The provider of an alias must not be an alias';

/** The catalog in effect. `PUT` accepts it as it is. */
export const PricingCatalog = z
  .object({
    effective_from: z.iso.datetime().describe('Time from which the catalog is in effect'),
    provider_aliases: z.record(z.string(), z.string()).describe(ALIASES),
    spec: PricingSpec,
  })
  .meta({ id: 'PricingCatalog', description: 'The prices in effect' });
export type PricingCatalog = z.infer<typeof PricingCatalog>;

/** Body of `PUT /v1/budgets/pricing`. */
export const PricingCatalogWrite = z
  .strictObject({
    effective_from: time()
      .optional()
      .describe(
        'A time in the future, with milliseconds at most, stages the catalog. Without it, or with that of the catalog in effect, the catalog has immediate effect',
      ),
    provider_aliases: z
      .record(z.string(), providerName())
      .superRefine((aliases, issues) => {
        const names = Object.keys(aliases);
        if (names.length > MAX_ALIASES) {
          addIssues(issues, [{ path: [], message: `must have at most ${MAX_ALIASES} entries` }]);
          return;
        }
        addIssues(
          issues,
          names.flatMap((alias) => {
            const [issue] = providerName().safeParse(alias).error?.issues ?? [];
            return issue ? [{ path: [alias], message: `its name ${issue.message}` }] : [];
          }),
        );
        addIssues(issues, findAliasViolations(aliases));
      })
      .optional()
      .describe(`${ALIASES}. Default: no aliases`),
    spec: PricingSpec,
  })
  .meta({ id: 'PricingCatalogWrite', description: 'A catalog that replaces all prices' });
export type PricingCatalogWrite = z.infer<typeof PricingCatalogWrite>;

/** A version of the catalog, without its prices. */
export const PricingVersion = z
  .object({
    id: z.guid().describe('The `pricing_catalog_id` of charges'),
    effective_from: z.iso.datetime(),
    source: z
      .enum(['baseline', 'operator'])
      .describe('`baseline` is the catalog of a release; it is in effect until the first write of an operator'),
    state: z.enum(VERSION_STATES).describe('`withdrawn` was deleted while it was staged; it is not listed'),
    created_at: z.iso.datetime(),
    created_by: z.string().optional().describe('The administrator who wrote it, as a `subject_id`'),
    entry_count: z.int().min(0).describe('Number of models with a price'),
  })
  .meta({ id: 'PricingVersion', description: 'A version of the pricing catalog. It never changes' });
export type PricingVersion = z.infer<typeof PricingVersion>;

/** A version of the catalog with its prices. */
export const PricingCatalogVersion = PricingVersion.extend({
  provider_aliases: z.record(z.string(), z.string()).describe(ALIASES),
  spec: PricingSpec,
}).meta({ id: 'PricingCatalogVersion', description: 'A version of the pricing catalog with its prices' });
export type PricingCatalogVersion = z.infer<typeof PricingCatalogVersion>;

/** The prices of a version, for AI gateways. */
export const GatewayPriceList = z
  .object({
    pricing_catalog_id: z.guid(),
    provider_aliases: z.record(z.string(), z.string()).describe(ALIASES),
    spec: PricingSpec,
  })
  .meta({ id: 'GatewayPriceList', description: 'The prices of a version of the pricing catalog. They never change' });
export type GatewayPriceList = z.infer<typeof GatewayPriceList>;

/** Path of `/gateway/v1/pricing-catalogs/{pricing_catalog_id}`. */
export const GatewayPriceListPath = z.strictObject({ pricing_catalog_id: uuid() });
export type GatewayPriceListPath = z.infer<typeof GatewayPriceListPath>;

/** A page of versions. */
export const PricingVersionPage = z
  .object({ items: z.array(PricingVersion), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'PricingVersionPage', description: 'Versions of the pricing catalog, the newest first' });
export type PricingVersionPage = z.infer<typeof PricingVersionPage>;

/** Query of `GET /v1/budgets/pricing/versions`. */
export const PricingVersionListQuery = z.strictObject({ ...pageParameters() });
export type PricingVersionListQuery = z.infer<typeof PricingVersionListQuery>;

/** Path of `/v1/budgets/pricing/entries/{provider}/{model}`. */
export const PricingEntryPath = z.strictObject({
  provider: providerName().describe('The exact name of the provider, no alias'),
  model: modelName().describe('The exact name of the model; a slash can be written as / or %2F'),
});
export type PricingEntryPath = z.infer<typeof PricingEntryPath>;

/** Path of `/v1/budgets/pricing/versions/{effectiveFrom}`. */
export const StagedVersionPath = z.strictObject({
  effectiveFrom: time().describe('The exact `effective_from` of the staged version (RFC 3339)'),
});
export type StagedVersionPath = z.infer<typeof StagedVersionPath>;
