import { describe, expect, it } from '@jest/globals';
import { applySettingChanges, parseSettingChange, rebaseSettings } from './settings-changes.ts';

const apply = (settings: Record<string, unknown>, ...texts: string[]) =>
  applySettingChanges(settings, texts.map(parseSettingChange));

describe('applySettingChanges', () => {
  it('sets numbers, texts and null, and creates the members on their way', () => {
    const before = { limits: { a: 1, b: 2 }, connectors: {} };
    expect(apply(before, 'limits.a=60', 'limits.b=null', 'content.mode=off', 'connectors.x.limits.a=5')).toEqual({
      limits: { a: 60, b: null },
      content: { mode: 'off' },
      connectors: { x: { limits: { a: 5 } } },
    });
    expect(before.limits.a).toBe(1);
  });

  it('removes the settings of a connector', () => {
    expect(apply({ connectors: { x: {}, y: {} } }, 'connectors.x=null')).toEqual({ connectors: { y: {} } });
  });

  it.each(['limits', '=60', 'limits..a=1', ''])('refuses %j', (text) => {
    expect(() => parseSettingChange(text)).toThrow('must be NAME=VALUE');
  });
});

describe('rebaseSettings', () => {
  const base = { limits: { a: 1, b: null }, connectors: { x: { limits: { a: 1 } } } };

  it('keeps the changes of both', () => {
    const edited = { ...base, limits: { a: 2, b: null } };
    const present = { ...base, limits: { a: 1, b: 9 }, connectors: {} };
    expect(rebaseSettings(base, edited, present)).toEqual({ limits: { a: 2, b: 9 }, connectors: {} });
  });

  it('prefers the value of the person where both changed a setting', () => {
    const edited = { ...base, limits: { a: null, b: null } };
    expect(rebaseSettings(base, edited, { ...base, limits: { a: 7, b: null } })).toEqual(edited);
  });

  it('removes what the person removed', () => {
    expect(rebaseSettings(base, { ...base, connectors: {} }, { ...base, limits: { a: 7, b: 7 } })).toEqual({
      limits: { a: 7, b: 7 },
      connectors: {},
    });
  });
});
