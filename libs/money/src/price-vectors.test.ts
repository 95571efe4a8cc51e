import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { computeCharge } from './charge.ts';
import { type RateBlock, type Vendor, readRates } from './rates.ts';
import { readUsage } from './usage.ts';
import { writeUsd } from './usd.ts';

/**
 * The vectors are part of the wire contract. A change of a figure there also needs a change here,
 * with a reason in the commit.
 */
const SHA256 = '814639b07dea386495d3b4f4e5d3ece2b6f2d858c23bf5ebff41abde604c8d4f';

interface Vector {
  id: number;
  vendor: Vendor;
  rates: RateBlock;
  raw_usage: Record<string, unknown>;
  charged_usd: string;
}

const bytes = readFileSync(new URL('price-vectors.json', import.meta.url));
const { vectors } = JSON.parse(bytes.toString()) as { vectors: Vector[] };

describe('the price vectors of the contract', () => {
  it('are those of the contract, to the byte', () => {
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(SHA256);
    expect(new Set(vectors.map(({ id }) => id)).size).toBe(160);
  });

  it.each(vectors)('$id, $vendor: $charged_usd', ({ vendor, rates, raw_usage, charged_usd }) => {
    const usage = readUsage(vendor, raw_usage);
    expect(usage).toBeDefined();
    expect(writeUsd(computeCharge(readRates(vendor, rates), usage!))).toBe(charged_usd);
  });
});
