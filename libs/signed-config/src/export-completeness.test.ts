import { findExportFault } from '@gatehouse/testing/second-verifier';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { recordHash, signCheckpoint, signHead, signStart, usageText } from './tool-call-chain.ts';
import { ToolCallVerifier, type VerificationOptions } from './tool-call-verifier.ts';

type Page = Record<string, unknown> & { records: Record<string, unknown>[]; checkpoints: Record<string, unknown>[] };

const [JANUARY, FEBRUARY] = ['g:2026-01', 'g:2026-02'];
const AT = '2026-02-03T00:00:00.000Z';

describe('ToolCallVerifier with an export of two months', () => {
  let jwks: unknown;
  let key: { kid: string; privateKey: CryptoKey };
  let records: (Record<string, unknown> & { chain_id: string; sequence: number; record_hash: string })[];

  beforeAll(async () => {
    const pair = await generateKeyPair('ES256');
    key = { kid: 'k', privateKey: pair.privateKey };
    jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }] };
    records = [...chain(JANUARY, 4), ...chain(FEBRUARY, 3)];
  });

  function chain(chain_id: string, length: number) {
    let prev_hash = '';
    return Array.from({ length }, (_, at) => {
      const link = { chain_id, sequence: at + 1, prev_hash };
      const usage = { call_id: `${chain_id} ${at}`, gateway_id: 'g', tool_name: 'é😀' };
      prev_hash = recordHash(link, usageText(usage));
      return { id: usage.call_id, ...link, record_hash: prev_hash, usage };
    });
  }

  /** The pages of a manager, divided after these numbers of records. */
  async function exported(...cuts: number[]): Promise<Page[]> {
    const ends = [...new Set([...cuts, records.length])].sort((one, other) => one - other);
    const pages = ends.map((end, at) => createPage(ends[at - 1] ?? 0, end));
    return Promise.all(pages);
  }

  async function createPage(from: number, to: number): Promise<Page> {
    const here = records.slice(from, to);
    const lasts = here.filter((record, at) => here[at + 1]?.chain_id !== record.chain_id);
    const checkpoints = lasts.map(({ chain_id, sequence, record_hash }) =>
      signCheckpoint({ chain_id, sequence, chain_hash: record_hash, signed_at: AT }, key),
    );
    const starts = here
      .filter(({ sequence }) => sequence === 1)
      .map((first) => {
        const before = records[records.indexOf(first) - 1];
        const previous = {
          previous_chain_id: before?.chain_id ?? '',
          previous_sequence: before?.sequence ?? 0,
          previous_hash: before?.record_hash ?? '',
        };
        return signStart({ chain_id: first.chain_id, ...previous, signed_at: AT }, key);
      });
    const last = records[to - 1]!;
    const place = { chain_id: last.chain_id, sequence: last.sequence, chain_hash: last.record_hash, signed_at: AT };
    return structuredClone({
      records: here,
      checkpoints: await Promise.all(checkpoints),
      ...(starts.length > 0 && { chain_starts: await Promise.all(starts) }),
      ...(to === records.length ? { head: await signHead(place, key) } : { next_cursor: `c${to}` }),
      resume_cursor: `c${to}`,
    }) as unknown as Page;
  }

  /** The result of both verifiers, which must agree. */
  async function verdict(pages: unknown[], options: Partial<VerificationOptions> = {}): Promise<string | undefined> {
    const verifier = new ToolCallVerifier({ jwks, ...options });
    for (const page of pages) await verifier.take(page, 'here');
    const { bad } = verifier.result();
    const second = findExportFault(pages, jwks, options);
    expect([bad?.reason, second].map((reason) => reason === undefined)).toEqual(Array(2).fill(bad === undefined));
    return bad?.reason;
  }

  it('accepts any division into pages and returns the time of the head', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 6 })), async (cuts) => {
        expect(await verdict(await exported(...cuts))).toBeUndefined();
      }),
    );
    const verifier = new ToolCallVerifier({ jwks });
    for (const page of await exported(3)) await verifier.take(page, 'here');
    expect(verifier.result().complete_at).toBe(AT);
  });

  it('refuses an export that is cut between two pages', async () => {
    const pages = await exported(2, 4, 6);
    for (const kept of [1, 2, 3]) {
      const cut = pages.slice(0, kept);
      expect(await verdict(cut)).toMatch(/next_cursor/);
      const covered = [...cut.slice(0, -1), { ...cut.at(-1)!, next_cursor: undefined }].map(withoutUndefined);
      expect(await verdict(covered)).toMatch(/no signed head/);
      expect(await verdict([...covered.slice(0, -1), { ...covered.at(-1)!, head: pages.at(-1)!['head'] }])).toMatch(
        /the signed head names this record/,
      );
    }
    expect(await verdict(pages.slice(1))).toMatch(/are missing/);
    // A month ends at the border of two pages; the start of the next chain names its last record.
    expect(await verdict([pages[0], pages[2], pages[3]])).toMatch(/follows record 4 of g:2026-01/);
    expect(await verdict(pages.slice(2))).toMatch(/follows record 4 of g:2026-01/);
    const unsaid = structuredClone(pages);
    delete unsaid[2]!['chain_starts'];
    expect(await verdict(unsaid)).toMatch(/no signed beginning/);
  });

  it('accepts an export without a head up to the given record', async () => {
    const pages = (await exported(2, 4, 6)).slice(0, 2);
    expect(await verdict(pages, { through: 4 })).toBeUndefined();
    expect(await verdict(pages, { through: 3 })).toBeUndefined();
    expect(await verdict(pages, { through: 5 })).toMatch(/ends at record 4, but must reach record 5/);
    const old = (await exported(5)).map(({ records: some, checkpoints }) => ({ records: some, checkpoints }));
    expect(await verdict(old, { through: 3 })).toBeUndefined();
  });

  it('accepts an export that continues another one', async () => {
    const pages = await exported(2, 4, 6);
    expect(await verdict(pages.slice(1), { continued: true })).toBeUndefined();
    expect(await verdict(pages.slice(2), { continued: true })).toBeUndefined();
    const empty = { records: [], checkpoints: [], head: pages[3]!['head'], resume_cursor: 'c' };
    expect(await verdict([...pages, empty])).toBeUndefined();
    expect(await verdict([...pages.slice(0, 3), empty])).toMatch(/the signed head names/);
  });

  it('accepts an empty export only with allowEmpty', async () => {
    const chain_id = FEBRUARY;
    const head = await signHead({ chain_id, sequence: 0, chain_hash: '', signed_at: AT }, key);
    const empty = { records: [], checkpoints: [], head, resume_cursor: 'c' };
    for (const pages of [[], [empty]]) {
      expect(await verdict(pages)).toMatch(/no record in it/);
      expect(await verdict(pages, { allowEmpty: true })).toBeUndefined();
    }
    const [, last] = await exported(3);
    expect(await verdict([{ ...empty, head: last!['head'] }], { allowEmpty: true })).toMatch(/none is here/);
    expect(await verdict([], { filtered: true })).toMatch(/no record in it/);
  });

  it('refuses members that no hash or signature covers', async () => {
    const place = (page: Page, where: string): Record<string, unknown> =>
      where === 'page'
        ? page
        : where === 'head'
          ? (page['head'] as Page)
          : ((page[where] as Record<string, unknown>[])[0] ?? {});
    for (const where of ['page', 'records', 'checkpoints', 'head', 'chain_starts'])
      for (const name of ['note', '__proto__', 'constructor', 'Usage']) {
        const [page] = await exported();
        Object.defineProperty(place(page!, where), name, { value: {}, enumerable: true });
        expect([where, name, await verdict([page])]).toEqual([where, name, expect.stringContaining(`"${name}"`)]);
      }
  });

  it('agrees with a second verifier after any manipulation', async () => {
    const pages = await exported(2, 4, 6);
    const place = fc.integer({ min: 0, max: 3 });
    const what = fc.constantFrom('drop', 'double', 'swap', 'strip', 'forge', 'empty', 'rename', 'none');
    const member = fc.constantFrom('records', 'checkpoints', 'head', 'chain_starts', 'next_cursor');
    const options = fc.record(
      {
        filtered: fc.boolean(),
        continued: fc.boolean(),
        through: fc.integer({ min: 1, max: 5 }),
        allowEmpty: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const steps = fc.array(fc.tuple(what, place, place, member), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(steps, options, async (done, how) => {
        const changed = structuredClone(pages);
        for (const step of done) tamper(changed, step);
        await verdict(changed, how);
      }),
      { numRuns: 1_000 * effort },
    );
  });
});

function tamper(pages: Page[], [what, at, other, member]: readonly [string, number, number, string]): void {
  const [page, second] = [pages[at], pages[other]];
  if (page === undefined || second === undefined) return;
  if (what === 'drop') pages.splice(at, 1);
  if (what === 'double') pages.splice(other, 0, structuredClone(page));
  if (what === 'swap') [pages[at], pages[other]] = [second, page];
  if (what === 'strip' && member !== 'records' && member !== 'checkpoints') Reflect.deleteProperty(page, member);
  if (what === 'forge' && second[member] !== undefined) page[member] = structuredClone(second[member]);
  if (what === 'empty' && member !== 'head' && member !== 'next_cursor') page[member] = [];
  if (what === 'rename') for (const one of page.checkpoints) one['sequence'] = Number(one['sequence']) - 1;
}

const withoutUndefined = (page: object): Page =>
  Object.fromEntries(Object.entries(page).filter(([, value]) => value !== undefined)) as Page;
