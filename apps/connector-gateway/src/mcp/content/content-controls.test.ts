import { describe, expect, it } from '@jest/globals';
import { UNLIMITED_SETTINGS } from '../ports/gateway-settings.fixture.ts';
import type { Snapshot } from '../ports/snapshot.ts';
import { ContentControls } from './content-controls.ts';

const createSettings = (
  content: Partial<Snapshot['settings']['content']>,
  connectors: Snapshot['settings']['connectors'] = {},
): Snapshot['settings'] => ({
  ...UNLIMITED_SETTINGS,
  content: { ...UNLIMITED_SETTINGS.content, ...content },
  connectors,
});

describe('ContentControls', () => {
  it('has no controls without settings and with the defaults', () => {
    expect(new ContentControls(undefined).findOfConnector('one')).toBeUndefined();
    expect(new ContentControls(UNLIMITED_SETTINGS).findOfConnector('one')).toBeUndefined();
  });

  it('adds the patterns of a connector to those of the gateway', () => {
    const settings = createSettings(
      { redaction_patterns: ['a', 'b'] },
      { one: { content: { redaction_patterns: ['b', 'c'] } }, two: { content: { redaction_patterns: [] } } },
    );
    const controls = new ContentControls(settings);
    expect(controls.findOfConnector('one')?.redaction?.patterns).toEqual(['a', 'b', 'c']);
    expect(controls.findOfConnector('two')?.redaction?.patterns).toEqual(['a', 'b']);
  });

  it('replaces the hosts of the gateway by those of a connector', () => {
    const settings = createSettings(
      { elicitation_hosts: ['example.com'] },
      { one: { content: { elicitation_hosts: ['example.org'] } }, two: { content: { elicitation_hosts: [] } } },
    );
    const controls = new ContentControls(settings);
    const isAllowed = (id: string, url: string) => controls.findOfConnector(id)?.hosts?.isAllowed(new URL(url));
    expect(isAllowed('one', 'https://example.org')).toBe(true);
    expect(isAllowed('one', 'https://example.com')).toBe(false);
    expect(isAllowed('three', 'https://example.com')).toBe(true);
    expect(controls.findOfConnector('two')).toBeUndefined();
  });

  it('keeps unchanged patterns compiled in the next snapshot', () => {
    const before = new ContentControls(createSettings({ redaction_patterns: ['a'] }));
    const after = new ContentControls(createSettings({ redaction_patterns: ['a'] }), before);
    expect(after.findOfConnector('one')?.redaction).not.toBe(undefined);
    expect(after.findOfConnector('one')?.redaction).toBe(before.findOfConnector('two')?.redaction);
  });

  it('passes nothing if a pattern cannot be compiled', () => {
    const controls = new ContentControls(createSettings({ redaction_patterns: ['('] }));
    expect(() => controls.findOfConnector('one')?.redaction?.redact('x', { owner: 'one' })).toThrow('is not valid');
  });
});
