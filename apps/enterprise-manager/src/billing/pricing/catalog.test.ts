import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PriceList, type PricingEntry } from '@gatehouse/money/price-list';
import {
  findAliasViolations,
  listChangedFields,
  findEntryViolation,
  formatEntryName,
  findEntry,
  isStaged,
  findSpecViolation,
  getVersionState,
  putEntry,
  removeEntry,
} from './catalog.ts';
import { toMillisecondTime } from './millisecond-time.ts';

const RATES = { inputUsdPerMillion: '1.25', outputUsdPerMillion: '10' };
const createEntry = (provider: string, model: string, input = '1'): PricingEntry => ({
  provider,
  model,
  openai: { ...RATES, inputUsdPerMillion: input },
});
const SPEC = {
  entries: [createEntry('openai', 'a'), createEntry('openai', 'b'), createEntry('azure', 'a')],
  tools: { openai: { webSearchUsdPerThousand: '10' } },
};

describe('an entry of a catalog', () => {
  it('is found by its exact names only', () => {
    expect(findEntry(SPEC, 'openai', 'a')).toBe(SPEC.entries[0]);
    for (const [provider, model] of [
      ['openai', 'A'],
      ['OpenAI', 'a'],
      ['openai', 'a '],
      ['openai', ''],
      ['', 'a'],
    ] as const)
      expect(findEntry(SPEC, provider, model)).toBeUndefined();
  });

  it('replaces the previous entry, or is added at the end, without changes of other entries', () => {
    const changed = putEntry(SPEC, createEntry('openai', 'b', '7'));
    expect(changed.entries).toEqual([SPEC.entries[0], createEntry('openai', 'b', '7'), SPEC.entries[2]]);
    expect(changed.tools).toBe(SPEC.tools);
    expect(putEntry(SPEC, createEntry('azure', 'b')).entries).toEqual([...SPEC.entries, createEntry('azure', 'b')]);
    expect(SPEC.entries).toHaveLength(3);
  });

  it('is replaced completely, without parts of the previous block or vendor', () => {
    const old = { provider: 'x', model: 'y', openai: { ...RATES, cachedInputUsdPerMillion: '0.1' } };
    const spec = putEntry({ entries: [old] }, { provider: 'x', model: 'y', google: RATES });
    expect(spec.entries).toEqual([{ provider: 'x', model: 'y', google: RATES }]);
  });

  it('is removed without changes to other entries, and the removal of the last one leaves an empty catalog', () => {
    expect(removeEntry(SPEC, 'openai', 'a').entries).toEqual(SPEC.entries.slice(1));
    expect(removeEntry(SPEC, 'openai', 'a').tools).toBe(SPEC.tools);
    const empty = removeEntry({ entries: [createEntry('x', 'y')] }, 'x', 'y');
    expect(empty).toEqual({ entries: [] });
    expect(new PriceList(empty).find('x', 'y')).toBeUndefined();
  });

  it('has the last written price after any order of writes and removals', () => {
    const names = fc.constantFrom('a', 'b', 'a/b', 'constructor');
    const step = fc.record({ provider: names, model: names, input: fc.option(fc.nat(9).map(String)) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const model = new Map<string, string>();
        let spec: { entries: readonly PricingEntry[] } = { entries: [] };
        for (const { provider, model: name, input } of steps) {
          const key = JSON.stringify([provider, name]);
          if (input === null) {
            spec = removeEntry(spec, provider, name);
            model.delete(key);
          } else {
            spec = putEntry(spec, createEntry(provider, name, input));
            model.set(key, input);
          }
        }
        const left = spec.entries.map((entry) => [
          JSON.stringify([entry.provider, entry.model]),
          entry.openai?.inputUsdPerMillion,
        ]);
        expect(new Map(left as [string, string][])).toEqual(model);
        expect(left).toHaveLength(model.size);
        expect(findSpecViolation(spec)).toBeUndefined();
      }),
    );
  });
});

describe('getVersionState', () => {
  const NOW = '2026-11-21T12:00:00.000Z';
  const createVersion = (effective_from: string, created_at: string, withdrawn_at: string | null = null) => ({
    ...{ id: 'v', effective_from, created_at, withdrawn_at },
  });
  const LATER = '2026-11-21T12:00:00.001Z';
  const EARLIER = '2026-11-20T00:00:00.000Z';

  it.each([
    ['staged', 'before its moment', createVersion(LATER, EARLIER), 'other'],
    ['in_effect', 'from its moment on', createVersion(NOW, EARLIER), 'v'],
    ['superseded', 'when another one is in effect', createVersion(NOW, EARLIER), 'other'],
    ['in_effect', 'at once, where a clock that is ahead dated it', createVersion(LATER, LATER), 'v'],
    ['superseded', 'also then, once another one was written', createVersion(LATER, LATER), 'other'],
    ['withdrawn', 'for good', createVersion(LATER, EARLIER, NOW), 'other'],
    ['withdrawn', 'also when its moment comes', createVersion(NOW, EARLIER, EARLIER), 'v'],
  ])('returns %s %s', (state, _, row, inEffect) => {
    expect(getVersionState(row, inEffect, NOW)).toBe(state);
    expect(isStaged(row, NOW) && row.withdrawn_at === null).toBe(state === 'staged');
  });

  it.each([
    ['2027-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T01:00:00+01:00', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T00:00:00.5Z', '2027-01-01T00:00:00.500Z'],
    ['2027-01-01T00:00:00.123000Z', '2027-01-01T00:00:00.123Z'],
    ['2027-01-01T00:00:00.1230001Z', undefined],
    ['2027-01-01T00:00:00.0001+00:00', undefined],
  ])('converts %s to %s', (text, instant) => {
    expect(toMillisecondTime(text)).toBe(instant);
  });
});

describe('violations of a catalog', () => {
  const findFault = (entry: object) => findSpecViolation({ entries: [SPEC.entries[0]!, entry as PricingEntry] });
  const findFaultOfRates = (openai: object) =>
    findFault({ provider: 'x', model: 'y', openai: { ...RATES, ...openai } });

  it.each([
    ['no block', findFault({ provider: 'x', model: 'y' }), ['entries', 1], /anthropic, openai, google: exactly one/],
    ['two', findFault({ provider: 'x', model: 'y', openai: RATES, google: RATES }), ['entries', 1], /exactly one/],
    ['a model twice', findFault(createEntry('openai', 'a')), ['entries', 1], /same provider and model/],
    [
      'no output',
      findFault({ provider: 'x', model: 'y', openai: { inputUsdPerMillion: '1' } }),
      ['entries', 1, 'openai', 'outputUsdPerMillion'],
      /required/,
    ],
    [
      'a rate of another vendor',
      findFaultOfRates({ thoughtsOutputUsdPerMillion: '1' }),
      ['entries', 1, 'openai', 'thoughtsOutputUsdPerMillion'],
      /not a rate/,
    ],
    [
      'less than nothing',
      findFaultOfRates({ inputUsdPerMillion: '-1' }),
      ['entries', 1, 'openai', 'inputUsdPerMillion'],
      /decimal/,
    ],
    [
      'tiers that fall',
      findFaultOfRates({
        promptSizeTiers: [
          { aboveTokens: 2, ...RATES },
          { aboveTokens: 1, ...RATES },
        ],
      }),
      ['entries', 1, 'openai', 'promptSizeTiers', 1, 'aboveTokens'],
      /larger/,
    ],
    [
      'a tier of nothing',
      findFaultOfRates({ promptSizeTiers: [{ aboveTokens: 2 }] }),
      ['entries', 1, 'openai', 'promptSizeTiers', 0],
      /at least one/,
    ],
    [
      'a tool of a vendor without models',
      findSpecViolation({ entries: [], tools: { google: { groundingSearchUsdPerThousand: '1e3' } } }),
      ['tools', 'google', 'groundingSearchUsdPerThousand'],
      /decimal/,
    ],
  ])('reports %s with its path', (_, found, path, message) => {
    expect(found).toEqual({ path, message: expect.stringMatching(message) });
  });

  it('are the same for a single entry and in a catalog', () => {
    expect(findEntryViolation(createEntry('x', 'y'))).toBeUndefined();
    expect(findEntryViolation({ provider: '', model: '' })).toEqual({
      path: [],
      message: expect.stringMatching(/^anthropic, openai, google: /),
    });
    expect(findEntryViolation({ provider: '', model: '', google: { ...RATES, outputUsdPerMillion: '١' } })).toEqual({
      path: ['google', 'outputUsdPerMillion'],
      message: expect.stringContaining('decimal'),
    });
  });

  it('include an alias of an alias, also of itself', () => {
    expect(findAliasViolations({ azure: 'openai', vertex: 'google' })).toEqual([]);
    expect(findAliasViolations({ a: 'b', b: 'c' }).map(({ path }) => path)).toEqual([['a']]);
    expect(findAliasViolations({ a: 'a' }).map(({ path }) => path)).toEqual([['a']]);
  });
});

describe('listChangedFields', () => {
  const before = { provider_aliases: { azure: 'openai' }, spec: SPEC };

  it('ignores the order of keys and entries', () => {
    const [first, ...others] = SPEC.entries;
    const turned = { ...first!, openai: { outputUsdPerMillion: '10', inputUsdPerMillion: '1' } };
    expect(listChangedFields(before, { ...before, spec: { ...SPEC, entries: [...others, turned] } })).toEqual([]);
  });

  it('names added, changed and removed prices, aliases and tools', () => {
    const after = {
      provider_aliases: {},
      spec: { entries: [createEntry('openai', 'a', '9'), createEntry('azure', 'a'), createEntry('new', 'org/model')] },
    };
    expect(listChangedFields(before, after)).toEqual([
      'entries/new/org/model',
      'entries/openai/a',
      'entries/openai/b',
      'provider_aliases',
      'tools',
    ]);
  });

  it('names entries once above 100 changed prices', () => {
    const entries = Array.from({ length: 101 }, (_, at) => createEntry('x', String(at)));
    expect(listChangedFields(before, { ...before, spec: { ...SPEC, entries } })).toEqual(['entries']);
  });

  it('distinguishes models with slashes in their names', () => {
    expect(formatEntryName('a', 'b/c')).not.toBe(formatEntryName('a/b', 'c'));
    expect(formatEntryName('a%2Fb', 'c')).not.toBe(formatEntryName('a/b', 'c'));
  });
});
