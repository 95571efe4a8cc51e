import { pageParameters } from '@gatehouse/service-kit/paging';
import { checkedInTurns } from '@gatehouse/service-kit/schema-check';
import { z } from 'zod';
import { line, time } from '../../validation/text.ts';
import { aliasFaults, type CatalogFault, entryFault, MAX_ENTRIES, specFault, VERSION_STATES } from './catalog.ts';
import { AnthropicRates, GoogleRates, OpenaiRates, PricingToolRates } from './rate-blocks.dto.ts';

/** A name that can stand in a path, where a dot or two mean another place. */
const name = (maximum: number) =>
  line(maximum).refine((text) => text !== '.' && text !== '..', 'must not be a dot or two alone');

const providerName = () => name(200);
const modelName = () => name(300);

const named = {
  provider: providerName().describe('As gateways report it, or the provider that an alias stands for'),
  model: modelName().describe('The exact name; it may hold slashes'),
};

const blocks = {
  anthropic: AnthropicRates.optional(),
  openai: OpenaiRates.optional(),
  google: GoogleRates.optional(),
};

interface Issues {
  addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string }): void;
}

const report = (issues: Issues, faults: readonly (CatalogFault | undefined)[]): void => {
  for (const fault of faults) if (fault !== undefined) issues.addIssue({ code: 'custom', ...fault });
};

/** The price of one model. */
export const PricingEntry = z
  .strictObject({ ...named, ...blocks })
  .meta({ id: 'PricingEntry', description: 'What a model costs: exactly one of the three rate blocks' });
export type PricingEntry = z.infer<typeof PricingEntry>;

/** A price as it is written: the model stands in the path. */
export const PricingEntryWrite = z
  .strictObject(blocks)
  .superRefine((entry, issues) => report(issues, [entryFault({ provider: '', model: '', ...entry })]))
  .meta({
    id: 'PricingEntryWrite',
    description: 'What a model costs: exactly one of the three rate blocks, with its input and output rate at least',
  });
export type PricingEntryWrite = z.infer<typeof PricingEntryWrite>;

/** All prices. */
const PricingSpec = z
  .strictObject({
    entries: z.array(checkedInTurns(PricingEntry)).max(MAX_ENTRIES).describe('Each model of a provider once'),
    tools: PricingToolRates.optional(),
  })
  .superRefine((spec, issues) => report(issues, [specFault(spec)]))
  .meta({ id: 'PricingSpec', description: 'The prices of models and of tools' });

const MAX_ALIASES = 500;
const ALIASES = 'Other names of providers, each with the provider that it stands for, for which no second one is asked';

/** The catalog as it is read. It can be written again as it is. */
export const PricingCatalog = z
  .object({
    effective_from: z.iso.datetime().describe('Since when it is in effect'),
    provider_aliases: z.record(z.string(), z.string()).describe(ALIASES),
    spec: PricingSpec,
  })
  .meta({ id: 'PricingCatalog', description: 'The prices in effect' });
export type PricingCatalog = z.infer<typeof PricingCatalog>;

/** The catalog as it is written. */
export const PricingCatalogWrite = z
  .strictObject({
    effective_from: time()
      .optional()
      .describe(
        'A time in the future stages the catalog, to the millisecond; absent, or that of the catalog in effect, means at once',
      ),
    provider_aliases: z
      .record(z.string(), providerName())
      .superRefine((aliases, issues) => {
        const names = Object.keys(aliases);
        if (names.length > MAX_ALIASES) {
          report(issues, [{ path: [], message: `must have at most ${MAX_ALIASES} entries` }]);
          return;
        }
        report(
          issues,
          names.flatMap((alias) => {
            const [issue] = providerName().safeParse(alias).error?.issues ?? [];
            return issue ? [{ path: [alias], message: `its name ${issue.message}` }] : [];
          }),
        );
        report(issues, aliasFaults(aliases));
      })
      .optional()
      .describe(`${ALIASES}; none when absent`),
    spec: PricingSpec,
  })
  .meta({ id: 'PricingCatalogWrite', description: 'Prices that replace all others' });
export type PricingCatalogWrite = z.infer<typeof PricingCatalogWrite>;

/** A version of the catalog, without its prices. */
export const PricingVersion = z
  .object({
    id: z.guid().describe('What charges name as `pricing_catalog_id`'),
    effective_from: z.iso.datetime(),
    source: z
      .enum(['baseline', 'operator'])
      .describe('`baseline` came with a release; it counts until an operator writes for the first time'),
    state: z.enum(VERSION_STATES).describe('`withdrawn` was staged and deleted before its time; lists do not show it'),
    created_at: z.iso.datetime(),
    created_by: z.string().optional().describe('Person who wrote it, as `subject_id` names people'),
    entry_count: z.int().min(0).describe('Models that it prices'),
  })
  .meta({ id: 'PricingVersion', description: 'A version of the pricing catalog; it never changes' });
export type PricingVersion = z.infer<typeof PricingVersion>;

/** A version of the catalog with its prices. */
export const PricingCatalogVersion = PricingVersion.extend({
  provider_aliases: z.record(z.string(), z.string()).describe(ALIASES),
  spec: PricingSpec,
}).meta({ id: 'PricingCatalogVersion', description: 'A version of the pricing catalog with its prices' });
export type PricingCatalogVersion = z.infer<typeof PricingCatalogVersion>;

/** A page of versions. */
export const PricingVersionPage = z
  .object({ items: z.array(PricingVersion), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'PricingVersionPage', description: 'Versions of the pricing catalog, the newest first' });
export type PricingVersionPage = z.infer<typeof PricingVersionPage>;

/** What the list of versions takes. */
export const PricingVersionListQuery = z.strictObject({ ...pageParameters() });
export type PricingVersionListQuery = z.infer<typeof PricingVersionListQuery>;

/** Which price a path is about. */
export const PricingEntryPath = z.strictObject({
  provider: providerName().describe('The literal name, as stored'),
  model: modelName().describe('The exact name; a slash may be written as it is or as %2F'),
});
export type PricingEntryPath = z.infer<typeof PricingEntryPath>;

/** Which staged version a path is about. */
export const StagedVersionPath = z.strictObject({
  effectiveFrom: time().describe('When the version would come into effect, exactly (RFC 3339)'),
});
export type StagedVersionPath = z.infer<typeof StagedVersionPath>;
