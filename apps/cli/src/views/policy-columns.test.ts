import { describe, expect, it } from '@jest/globals';
import { formatAccepted, shorten } from './policy-columns.ts';

const condition = (type: string, status: 'True' | 'False' | 'Unknown', reason: string) => ({
  ...{ type, status, reason },
  ...{ message: '', lastTransitionTime: '2026-11-25T00:00:00Z' },
});
const accepted = (...conditions: ReturnType<typeof condition>[]) =>
  formatAccepted({ spec: { gatewayRef: { name: 'g' }, principalMatchers: [] }, status: { conditions } });

describe('a shortened cell', () => {
  it.each([
    [[], undefined],
    [['a'], 'a'],
    [['a', 'b'], 'a, b'],
    [['x'.repeat(30), 'y'.repeat(30), 'z'], `${'x'.repeat(30)} + 2`],
    [['x'.repeat(50), 'b'], `${'x'.repeat(39)}… + 1`],
  ])('%j: %s', (texts, cell) => expect(shorten(texts, ', ')).toBe(cell));
});

describe('the column ACCEPTED', () => {
  it.each([
    [[], undefined],
    [[condition('Accepted', 'Unknown', 'Pending')], undefined],
    [[condition('Accepted', 'True', 'Accepted')], 'yes'],
    [
      [condition('Accepted', 'True', 'Accepted'), condition('ResolvedRefs', 'False', 'ModelNotFound')],
      'yes (ModelNotFound)',
    ],
    [[condition('Accepted', 'False', 'GatewayNotFound')], 'no (GatewayNotFound)'],
  ])('%#: %s', (conditions, cell) => expect(accepted(...conditions)).toBe(cell));
});
