import { describe, expect, it } from '@jest/globals';
import { hasModernKey, getProgressToken, addMeta, removeSenderMeta } from './meta.ts';
import { isKnownRevision, isLegacyRevision, isModernRevision } from './revisions.ts';

describe('members of _meta', () => {
  it('are removed together, and an empty _meta too', () => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    expect(removeSenderMeta({ name: 'a', _meta: envelope })).toEqual({ name: 'a' });
    expect(removeSenderMeta({ _meta: { ...envelope, progressToken: 1, traceparent: '00' } })).toEqual({
      _meta: { progressToken: 1, traceparent: '00' },
    });
  });

  it('are set in a copy', () => {
    const params = { _meta: { a: 1 } };
    expect(addMeta(params, { b: 2 })).toEqual({ _meta: { a: 1, b: 2 } });
    expect(params).toEqual({ _meta: { a: 1 } });
    expect(addMeta(undefined, { b: 2 })).toEqual({ _meta: { b: 2 } });
  });

  it('mark a request as modern when one of them is present', () => {
    expect(hasModernKey({ _meta: { 'io.modelcontextprotocol/clientInfo': {} } })).toBe(true);
    expect(hasModernKey({ _meta: { progressToken: 1, 'com.example/protocolVersion': 'x' } })).toBe(false);
    expect(hasModernKey({ _meta: ['io.modelcontextprotocol/clientInfo'] })).toBe(false);
  });

  it('contain a progress token only when it is valid', () => {
    expect(getProgressToken({ _meta: { progressToken: 0 } })).toBe(0);
    expect(getProgressToken({ _meta: { progressToken: {} } })).toBeUndefined();
  });
});

describe('revisions', () => {
  it('belong to exactly one era', () => {
    for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '2026-07-29', '']) {
      expect(Number(isLegacyRevision(revision)) + Number(isModernRevision(revision))).toBe(
        Number(isKnownRevision(revision)),
      );
    }
  });
});
