import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changedFields, effectiveConfig, faultsOf, longestGraceMs, ordered } from './client-config.ts';
import type { EnterpriseConfig } from './directives.dto.ts';

const on = (value: boolean, enforcement: 'enforced' | 'default' = 'default') => ({ value, enforcement });
const degraded = (grace_period: string) => ({ policy: 'warn' as const, grace_period, message: 'away' });
const [A, B] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const override = (group_id: string, precedence: number, config: EnterpriseConfig) => ({ group_id, precedence, config });

const directive = fc.record({
  value: fc.boolean(),
  enforcement: fc.constantFrom('enforced' as const, 'default' as const),
});
const document: fc.Arbitrary<EnterpriseConfig> = fc.record(
  { playground: directive, help_menu: directive, build_env: fc.dictionary(fc.constantFrom('A', 'B'), fc.string()) },
  { requiredKeys: [] },
);

describe('what a person is configured with', () => {
  it('is the base where no override names a directive', () => {
    const base = { playground: on(true), build_env: { A: '1' } };
    expect(effectiveConfig(base, [])).toEqual(base);
    expect(effectiveConfig(base, [{ help_menu: on(false) }])).toEqual({ ...base, help_menu: on(false) });
  });

  it('is the override of lowest precedence among those that name a directive', () => {
    const overrides = [{}, { playground: on(true) }, { playground: on(false), assistant: on(true) }];
    expect(effectiveConfig({ playground: on(false) }, overrides)).toEqual({
      playground: on(true),
      assistant: on(true),
    });
  });

  it('is a whole directive: fields of several documents are never mixed', () => {
    const base: EnterpriseConfig = {
      registry: { value: { api_url: 'https://a.test', allow_private_ip: true }, enforcement: 'default' },
      build_env: { A: '1', B: '2' },
    };
    const own: EnterpriseConfig = {
      registry: { value: { api_url: 'https://b.test' }, enforcement: 'default' },
      build_env: { A: '3' },
    };
    expect(effectiveConfig(base, [own])).toEqual(own);
  });

  it('is what is enforced, wherever that is, before what is a default', () => {
    expect(effectiveConfig({}, [{ playground: on(true) }, { playground: on(false, 'enforced') }])).toEqual({
      playground: on(false, 'enforced'),
    });
    expect(effectiveConfig({ playground: on(false, 'enforced') }, [{ playground: on(true) }])).toEqual({
      playground: on(false, 'enforced'),
    });
  });

  it('does not take a variable of builds for an enforcement', () => {
    const base = { build_env: { enforcement: 'enforced' } };
    expect(effectiveConfig(base, [{ build_env: { A: '1' } }])).toEqual({ build_env: { A: '1' } });
    expect(faultsOf({ config: base, overrides: [override(A, 1, { build_env: {} })] })).toEqual([]);
  });

  it('is the lowest precedence among what is enforced, the base being the last', () => {
    const both = [{ playground: on(true, 'enforced') }, { playground: on(false, 'enforced') }];
    expect(effectiveConfig({ playground: on(false, 'enforced') }, both)).toEqual({ playground: on(true, 'enforced') });
  });

  it('never turns what is enforced into a choice by one more membership, and takes each directive from a document', () => {
    fc.assert(
      fc.property(document, fc.array(document, { maxLength: 4 }), document, (base, overrides, more) => {
        const names = ['playground', 'help_menu', 'build_env'] as const;
        const [before, after] = [effectiveConfig(base, overrides), effectiveConfig(base, [...overrides, more])];
        for (const name of names) {
          const from = [base, ...overrides, more].map((one) => one[name]);
          expect(from).toContain(after[name]);
          if (name !== 'build_env' && before[name]?.enforcement === 'enforced')
            expect(after[name]?.enforcement).toBe('enforced');
        }
      }),
    );
  });
});

describe('a document', () => {
  it('names each group and each precedence once', () => {
    const overrides = [override(A, 1, {}), override(A, 2, {}), override(B, 2, {})];
    expect(faultsOf({ config: {}, overrides }).map(({ field }) => field)).toEqual([
      'overrides[1].group_id',
      'overrides[2].precedence',
    ]);
  });

  it('has no default that the base would always beat', () => {
    const overrides = [override(A, 1, { playground: on(true) }), override(B, 2, { playground: on(true, 'enforced') })];
    expect(faultsOf({ config: { playground: on(false, 'enforced') }, overrides }).map(({ field }) => field)).toEqual([
      'overrides[0].config.playground',
    ]);
    expect(faultsOf({ config: { playground: on(false) }, overrides })).toEqual([]);
  });

  it('is kept in the order of precedence', () => {
    const [first, second] = [override(B, 1, {}), override(A, 2, {})];
    expect(ordered({ config: {}, overrides: [second, first] }).overrides).toEqual([first, second]);
  });

  it('names what differs from another one, and nothing that does not', () => {
    const before = { config: { playground: on(true), build_env: { A: '1', B: '2' } }, overrides: [override(A, 1, {})] };
    expect(
      changedFields(before, { ...before, config: { build_env: { B: '2', A: '1' }, playground: on(true) } }),
    ).toEqual([]);
    const after = {
      config: { playground: on(false), help_menu: on(true) },
      overrides: [override(A, 2, {}), override(B, 3, {})],
    };
    expect(changedFields(before, after)).toEqual([
      'config.build_env',
      'config.help_menu',
      'config.playground',
      `overrides/${A}`,
      `overrides/${B}`,
    ]);
  });

  it('knows the longest grace that any client may get', () => {
    expect(longestGraceMs({ config: {}, overrides: [] }, 1000)).toBe(1000);
    const overrides = [override(A, 1, { degraded_mode: degraded('72h') })];
    expect(longestGraceMs({ config: { degraded_mode: degraded('0s') }, overrides }, 1000)).toBe(72 * 3_600_000);
  });
});
