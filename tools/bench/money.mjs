// Usage: node tools/bench/money.mjs [seconds] [rounds] [--check]
// Method and limit: docs/benchmarks.md#charges.
import { computeCharge } from '../../libs/money/dist/charge.js';
import { BASELINE_CATALOG } from '../../libs/money/dist/baseline-catalog.js';
import { PriceList } from '../../libs/money/dist/price-list.js';
import { readUsage } from '../../libs/money/dist/usage.js';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

const LIMIT = 5;
const OBJECTS = 1_000;

const flags = process.argv.slice(2);
const [seconds = 2, rounds = 5] = flags.filter((flag) => !flag.startsWith('--')).map(Number);
const prices = new PriceList(BASELINE_CATALOG.spec, BASELINE_CATALOG.provider_aliases);

/**
 * Usage objects of the vendors with every part that has a rate. They differ by `n`, and a fifth of
 * them is above the tier.
 */
const VENDORS = {
  anthropic: {
    model: 'claude-haiku-5-5',
    usage: (n) => ({
      input_tokens: 1_000 + n,
      cache_creation_input_tokens: 4_000 + n,
      cache_read_input_tokens: n % 5 === 0 ? 150_000 : 20_000,
      cache_creation: { ephemeral_5m_input_tokens: 1_500 + n, ephemeral_1h_input_tokens: 2_500 },
      output_tokens: 900 + n,
      server_tool_use: { web_search_requests: n % 3, web_fetch_requests: 0 },
      service_tier: 'standard',
    }),
  },
  openai: {
    model: 'gpt-6.2-sol',
    usage: (n) => ({
      input_tokens: n % 5 === 0 ? 300_000 + n : 20_000 + n,
      input_tokens_details: { cached_tokens: 10_000, cache_write_tokens: 5_000 + n },
      output_tokens: 2_000 + n,
      output_tokens_details: { reasoning_tokens: 1_500 },
      total_tokens: 0,
      tool_calls: { web_search: n % 3, file_search: n % 2 },
    }),
  },
  google: {
    model: 'gemini-2.5-flash',
    usage: (n) => ({
      promptTokenCount: 20_000 + n,
      cachedContentTokenCount: 8_000,
      candidatesTokenCount: 1_200 + n,
      thoughtsTokenCount: 2_300,
      totalTokenCount: 0,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 11_000 + n },
        { modality: 'AUDIO', tokenCount: 9_000 },
      ],
      cacheTokensDetails: [
        { modality: 'TEXT', tokenCount: 5_000 },
        { modality: 'AUDIO', tokenCount: 3_000 },
      ],
      candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 1_200 + n }],
    }),
  },
};

const contestants = Object.entries(VENDORS).map(([vendor, { model, usage }]) => {
  const rates = prices.find(vendor, model);
  const texts = Array.from({ length: OBJECTS }, (_, n) => JSON.stringify(usage(n)));
  const objects = texts.map((text) => JSON.parse(text));
  return {
    vendor,
    bytes: Math.round(texts.join('').length / OBJECTS),
    parse: () => texts.reduce((sum, text) => sum + Object.keys(JSON.parse(text)).length, 0),
    charge: () => objects.reduce((sum, object) => sum + computeCharge(rates, readUsage(vendor, object)), 0n),
    parsed: [],
    charged: [],
  };
});

/** Returns the number of processed objects in a second of CPU time. */
function rate(work) {
  const end = performance.now() + seconds * 1_000;
  const start = process.cpuUsage();
  let done = 0;
  while (performance.now() < end) {
    work();
    done += OBJECTS;
  }
  const { user, system } = process.cpuUsage(start);
  return (done * 1e6) / (user + system);
}

for (const { parse, charge } of contestants) for (let warm = 0; warm < 100; warm += 1) [parse(), charge()];
for (let round = 0; round < rounds; round += 1)
  for (const one of contestants) {
    one.parsed.push(rate(one.parse));
    one.charged.push(rate(one.charge));
  }

const computeRatio = ({ parsed, charged }) => median(charged.map((value, round) => value / parsed[round]));
printTable(
  ['Vendor', 'bytes', 'parses/s', 'charges/s', 'ratio to parsing', 'CPU µs a charge'],
  contestants.map((one) => {
    const [parses, charges] = [median(one.parsed), median(one.charged)];
    const ratio = computeRatio(one).toFixed(2);
    return [one.vendor, one.bytes, Math.round(parses), Math.round(charges), ratio, (1e6 / charges).toFixed(2)];
  }),
);
if (flags.includes('--check') && contestants.some((one) => computeRatio(one) < 1 / LIMIT)) {
  console.error(`a charge took more than ${LIMIT} times as long as parsing its usage`);
  process.exitCode = 1;
}
