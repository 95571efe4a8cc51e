import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  getChangedFields,
  getEffectiveConfig,
  findViolations,
  getLongestGraceMs,
  sortOverrides,
} from './client-config.ts';
import type { EnterpriseConfig } from './directives.dto.ts';

const toggle = (value: boolean, enforcement: 'enforced' | 'default' = 'default') => ({ value, enforcement });
const createDegradedMode = (grace_period: string) => ({ policy: 'warn' as const, grace_period, message: 'away' });
const [A, B] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const createOverride = (group_id: string, precedence: number, config: EnterpriseConfig) => ({
  group_id,
  precedence,
  config,
});

const directive = fc.record({
  value: fc.boolean(),
  enforcement: fc.constantFrom('enforced' as const, 'default' as const),
});
const document: fc.Arbitrary<EnterpriseConfig> = fc.record(
  { playground: directive, help_menu: directive, build_env: fc.dictionary(fc.constantFrom('A', 'B'), fc.string()) },
  { requiredKeys: [] },
);

describe('getEffectiveConfig', () => {
  it('takes a directive from the base if no override has it', () => {
    const base = { playground: toggle(true), build_env: { A: '1' } };
    expect(getEffectiveConfig(base, [])).toEqual(base);
    expect(getEffectiveConfig(base, [{ help_menu: toggle(false) }])).toEqual({ ...base, help_menu: toggle(false) });
  });

  it('takes a directive from the override with the lowest precedence that has it', () => {
    const overrides = [{}, { playground: toggle(true) }, { playground: toggle(false), assistant: toggle(true) }];
    expect(getEffectiveConfig({ playground: toggle(false) }, overrides)).toEqual({
      playground: toggle(true),
      assistant: toggle(true),
    });
  });

  it('takes each directive completely, without fields of other documents', () => {
    const base: EnterpriseConfig = {
      registry: { value: { api_url: 'https://a.test', allow_private_ip: true }, enforcement: 'default' },
      build_env: { A: '1', B: '2' },
    };
    const own: EnterpriseConfig = {
      registry: { value: { api_url: 'https://b.test' }, enforcement: 'default' },
      build_env: { A: '3' },
    };
    expect(getEffectiveConfig(base, [own])).toEqual(own);
  });

  it('prefers an enforced directive of any document to a default', () => {
    expect(getEffectiveConfig({}, [{ playground: toggle(true) }, { playground: toggle(false, 'enforced') }])).toEqual({
      playground: toggle(false, 'enforced'),
    });
    expect(getEffectiveConfig({ playground: toggle(false, 'enforced') }, [{ playground: toggle(true) }])).toEqual({
      playground: toggle(false, 'enforced'),
    });
  });

  it('does not confuse a variable of build_env with an enforcement', () => {
    const base = { build_env: { enforcement: 'enforced' } };
    expect(getEffectiveConfig(base, [{ build_env: { A: '1' } }])).toEqual({ build_env: { A: '1' } });
    expect(findViolations({ config: base, overrides: [createOverride(A, 1, { build_env: {} })] })).toEqual([]);
  });

  it('takes the lowest precedence of several enforced directives, and the base last', () => {
    const both = [{ playground: toggle(true, 'enforced') }, { playground: toggle(false, 'enforced') }];
    expect(getEffectiveConfig({ playground: toggle(false, 'enforced') }, both)).toEqual({
      playground: toggle(true, 'enforced'),
    });
  });

  it('keeps an enforced directive enforced in any further group, and takes each directive from one document', () => {
    fc.assert(
      fc.property(document, fc.array(document, { maxLength: 4 }), document, (base, overrides, more) => {
        const names = ['playground', 'help_menu', 'build_env'] as const;
        const [before, after] = [getEffectiveConfig(base, overrides), getEffectiveConfig(base, [...overrides, more])];
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

describe('a document of client configuration', () => {
  it('has each group and each precedence once', () => {
    const overrides = [createOverride(A, 1, {}), createOverride(A, 2, {}), createOverride(B, 2, {})];
    expect(findViolations({ config: {}, overrides }).map(({ field }) => field)).toEqual([
      'overrides[1].group_id',
      'overrides[2].precedence',
    ]);
  });

  it('has no default that the base always overrules', () => {
    const overrides = [
      createOverride(A, 1, { playground: toggle(true) }),
      createOverride(B, 2, { playground: toggle(true, 'enforced') }),
    ];
    expect(
      findViolations({ config: { playground: toggle(false, 'enforced') }, overrides }).map(({ field }) => field),
    ).toEqual(['overrides[0].config.playground']);
    expect(findViolations({ config: { playground: toggle(false) }, overrides })).toEqual([]);
  });

  it('has its overrides in the order of precedence', () => {
    const [first, second] = [createOverride(B, 1, {}), createOverride(A, 2, {})];
    expect(sortOverrides({ config: {}, overrides: [second, first] }).overrides).toEqual([first, second]);
  });

  it('lists as changed exactly the fields that differ', () => {
    const before = {
      config: { playground: toggle(true), build_env: { A: '1', B: '2' } },
      overrides: [createOverride(A, 1, {})],
    };
    expect(
      getChangedFields(before, { ...before, config: { build_env: { B: '2', A: '1' }, playground: toggle(true) } }),
    ).toEqual([]);
    const after = {
      config: { playground: toggle(false), help_menu: toggle(true) },
      overrides: [createOverride(A, 2, {}), createOverride(B, 3, {})],
    };
    expect(getChangedFields(before, after)).toEqual([
      'config.build_env',
      'config.help_menu',
      'config.playground',
      `overrides/${A}`,
      `overrides/${B}`,
    ]);
  });

  it('returns the longest grace period of its documents', () => {
    expect(getLongestGraceMs({ config: {}, overrides: [] }, 1000)).toBe(1000);
    const overrides = [createOverride(A, 1, { degraded_mode: createDegradedMode('72h') })];
    expect(getLongestGraceMs({ config: { degraded_mode: createDegradedMode('0s') }, overrides }, 1000)).toBe(
      72 * 3_600_000,
    );
  });
});
