import { describe, expect, it } from '@jest/globals';
import { UNLIMITED_SETTINGS } from '../ports/gateway-settings.fixture.ts';
import { PinningSettings } from './pinning-settings.ts';

describe('PinningSettings', () => {
  it('is off without settings', () => {
    expect(new PinningSettings(undefined).find('one')).toBe('off');
    expect(new PinningSettings(UNLIMITED_SETTINGS).find('one')).toBe('off');
  });

  it('prefers the value of the connector', () => {
    const found = new PinningSettings({
      ...UNLIMITED_SETTINGS,
      content: { ...UNLIMITED_SETTINGS.content, tool_pinning: 'quarantine' },
      connectors: { one: { content: { tool_pinning: 'off' } }, two: { limits: {} } },
    });
    expect([found.find('one'), found.find('two'), found.find('three')]).toEqual(['off', 'quarantine', 'quarantine']);
  });
});
