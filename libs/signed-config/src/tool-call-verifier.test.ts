import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { type Checkpoint, recordHash, signCheckpoint, usageText } from './tool-call-chain.ts';
import { ToolCallVerifier, type VerificationOptions } from './tool-call-verifier.ts';

const CHAIN = 'g:2026-01';
const RECORDS = 12;

interface Exported {
  id: string;
  chain_id: string;
  sequence: number;
  prev_hash: string;
  record_hash: string;
  usage: { call_id: string; gateway_id: string; tool_name: string };
}

describe('ToolCallVerifier', () => {
  let jwks: unknown;
  let privateKey: CryptoKey;
  let records: Exported[];
  let checkpoint: Checkpoint;
  beforeAll(async () => {
    const pair = await generateKeyPair('ES256');
    privateKey = pair.privateKey;
    jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }] };
    let prev_hash = '';
    records = Array.from({ length: RECORDS }, (_, at) => {
      const link = { chain_id: CHAIN, sequence: at + 1, prev_hash };
      const usage = { call_id: `call-${at}`, gateway_id: 'g', tool_name: 'é😀' };
      prev_hash = recordHash(link, usageText(usage));
      return { id: usage.call_id, ...link, record_hash: prev_hash, usage };
    });
    checkpoint = await sign(RECORDS);
  });

  const sign = (sequence: number) =>
    signCheckpoint(
      {
        chain_id: CHAIN,
        sequence,
        chain_hash: records[sequence - 1]?.record_hash ?? '',
        signed_at: '2026-01-31T00:00:00.000Z',
      },
      { kid: 'k', privateKey },
    );
  /** Verifies pages of an older manager, which have no heads and no chain starts. */
  const verify = async (pages: object[], options: Partial<VerificationOptions> = {}) => {
    const verifier = new ToolCallVerifier({ jwks, through: 1, ...options });
    for (const page of pages) await verifier.take(page, 'here');
    return verifier.result();
  };

  it('accepts any division into pages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: RECORDS - 1 }), async (cut) => {
        const pages = [
          { records: records.slice(0, cut), checkpoints: [] },
          { records: records.slice(cut), checkpoints: [checkpoint] },
        ];
        expect(await verify(pages)).toMatchObject({ records: RECORDS, chains: [{ attested: RECORDS, gaps: 0 }] });
        expect((await verify(pages)).bad).toBeUndefined();
        expect((await verify(pages.slice(1), { continued: true })).bad).toBeUndefined();
        expect((await verify(pages.slice(1))).bad?.reason).toMatch(/missing/);
        expect((await verify(pages.slice(0, 1))).bad?.reason).toMatch(/no signed checkpoint/);
      }),
    );
  });

  it('refuses changed, dropped, duplicated and swapped records', async () => {
    const place = fc.integer({ min: 0, max: RECORDS - 1 });
    await fc.assert(
      fc.asyncProperty(
        place,
        place,
        fc.constantFrom('change', 'relink', 'drop', 'double', 'swap'),
        async (at, other, how) => {
          const copy = structuredClone(records);
          const one = copy[at]!;
          if (how === 'change') one.usage.tool_name = 'other';
          if (how === 'relink') {
            one.usage.tool_name = 'other';
            for (let next = at; next < RECORDS; next += 1) {
              const link = copy[next]!;
              if (next > at) link.prev_hash = copy[next - 1]!.record_hash;
              link.record_hash = recordHash(link, usageText(link.usage));
            }
          }
          if (how === 'drop') copy.splice(at, 1);
          if (how === 'double') copy.splice(other, 0, one);
          if (how === 'swap') {
            if (at === other) return;
            [copy[at], copy[other]] = [copy[other]!, one];
          }
          expect((await verify([{ records: copy, checkpoints: [checkpoint] }])).bad).toBeDefined();
        },
      ),
    );
  });

  it('verifies the records of a filtered export', async () => {
    const some = records.filter((_, at) => at % 5 !== 2);
    const result = await verify([{ records: some, checkpoints: [checkpoint] }], { filtered: true });
    expect(result).toMatchObject({ records: 10, chains: [{ gaps: 2, attested: 4 }] });
    expect(result.bad).toBeUndefined();
    const wrong = [...some];
    wrong[4] = { ...wrong[4]!, prev_hash: 'f'.repeat(64) };
    expect((await verify([{ records: wrong, checkpoints: [] }], { filtered: true })).bad?.reason).toMatch(/changed/);
  });

  it('refuses signatures of other keys and in other encodings', async () => {
    const other = await generateKeyPair('ES256');
    const place = {
      chain_id: CHAIN,
      sequence: RECORDS,
      chain_hash: checkpoint.chain_hash,
      signed_at: checkpoint.signed_at,
    };
    const foreign = await signCheckpoint(place, { kid: 'k', privateKey: other.privateKey });
    for (const forged of [
      foreign,
      { ...checkpoint, signed_at: '2026-02-01T00:00:00.000Z' },
      { ...checkpoint, signature: `${checkpoint.signature}=` },
      { ...checkpoint, sig_alg: 'none' },
      { ...checkpoint, key_id: 'other' },
      { ...checkpoint, more: 1 },
    ])
      expect((await verify([{ records, checkpoints: [forged] }])).bad).toMatchObject({
        sequence: RECORDS,
        chain_id: CHAIN,
      });
  });
});
