import { Flags } from '@oclif/core';
import type { Column } from '../base/manager-command.ts';
import type { Schemas } from '../services/manager/manager.ts';

type Entry = Schemas['PricingEntry'];

/** The rate block of an entry. */
export const getRateBlock = ({ anthropic, openai, google }: Entry) => anthropic ?? openai ?? google;
const rate = (text: string | undefined) => (text === undefined ? undefined : `$${text}`);

/** The unit of rates of tokens. */
export const TOKEN_UNIT = 'USD per million tokens';
/** The unit of rates of server-side tools. */
export const TOOL_UNIT = 'USD per thousand calls';

/** The columns of prices of models. */
export const PRICE_COLUMNS: readonly Column<Entry>[] = [
  ['PROVIDER', (entry) => entry.provider],
  ['MODEL', (entry) => entry.model],
  ['INPUT', (entry) => rate(getRateBlock(entry)?.inputUsdPerMillion)],
  ['CACHED INPUT', (entry) => rate(getRateBlock(entry)?.cachedInputUsdPerMillion)],
  ['OUTPUT', (entry) => rate(getRateBlock(entry)?.outputUsdPerMillion)],
  ['UNIT', () => TOKEN_UNIT],
  [
    'LONG PROMPTS',
    (entry) =>
      getRateBlock(entry)
        ?.promptSizeTiers?.map(({ aboveTokens }) => `> ${aboveTokens}`)
        .join(', '),
  ],
];

/** The price of a server-side tool of a vendor. */
export interface ToolPrice {
  readonly vendor: string;
  readonly tool: string;
  readonly rate: string;
}

/** The columns of prices of server-side tools. */
export const TOOL_PRICE_COLUMNS: readonly Column<ToolPrice>[] = [
  ['VENDOR', ({ vendor }) => vendor],
  ['TOOL', ({ tool }) => tool],
  ['PRICE', (price) => rate(price.rate)],
  ['UNIT', () => TOOL_UNIT],
];

/** The prices of server-side tools, one row for each tool. */
export const toolPrices = (tools: Schemas['PricingToolRates'] = {}): ToolPrice[] =>
  Object.entries(tools).flatMap(([vendor, rates]) =>
    Object.entries(rates).map(([name, text]) => ({ vendor, tool: name.replace(/UsdPerThousand$/, ''), rate: text })),
  );

/** The columns of versions of the catalog. */
export const PRICING_VERSION_COLUMNS: readonly Column<Schemas['PricingVersion']>[] = [
  ['EFFECTIVE FROM', (version) => version.effective_from],
  ['STATE', (version) => version.state],
  ['SOURCE', (version) => version.source],
  ['MODELS', (version) => version.entry_count],
  ['WRITTEN', (version) => version.created_at],
  ['BY', (version) => version.created_by],
  ['ID', (version) => version.id],
];

/** The rates of one price by name, and its tiers, one line each. */
export function priceLines(entry: Entry): Record<string, string> {
  const { promptSizeTiers = [], ...rates } = getRateBlock(entry) ?? {};
  const vendor = (['anthropic', 'openai', 'google'] as const).find((name) => entry[name] !== undefined) ?? '';
  return {
    provider: entry.provider,
    model: entry.model,
    vendor,
    unit: TOKEN_UNIT,
    ...rates,
    ...Object.fromEntries(
      promptSizeTiers.map(({ aboveTokens, ...tier }) => [
        `above ${aboveTokens} tokens`,
        Object.entries(tier)
          .map(([name, text]) => `${name} ${text}`)
          .join(', '),
      ]),
    ),
  };
}

/** The largest catalog that the manager accepts, in bytes. */
export const LARGEST_CATALOG = 8 * 1024 * 1024;

/** The flag of writes of prices. */
export const pricesMatchFlag = {
  'if-match': Flags.string({
    description: 'write only if the current ETag is this one, from admin pricing show (default: any)',
  }),
};
