import { describe, expect, it } from '@jest/globals';
import { parseLabelSelector } from './label-selector.ts';
import { ResourceStoreError } from '../resource-store.ts';

const LABELS = { team: 'a', 'acme.example/tier': 'gold', empty: '', size: '12' };

describe('parseLabelSelector', () => {
  it.each([
    ['', true],
    ['team', true],
    ['!team', false],
    ['team=a', true],
    ['team == b', false],
    ['team!=b,size', true],
    ['other!=b', true],
    ['team in (a, b)', true],
    ['team notin (a)', false],
    ['empty=', true],
    ['empty in (,x)', true],
    ['empty in ()', true],
    ['acme.example/tier=gold', true],
    ['size>11,size<13', true],
    ['team>1', false],
    ['constructor', false],
    ['toString!=a', true],
  ])('decides %j for the labels of the suite: %j', (selector, expected) =>
    expect(parseLabelSelector(selector)(LABELS)).toBe(expected),
  );

  it.each([
    ',',
    'team,',
    'team in a',
    'team ~ a',
    'team=-a',
    'size>x',
    '=a',
    '!',
    'a/b/c',
    'Acme/x=1',
    `${'a'.repeat(64)}=1`,
    'team in (a',
    'team=a b',
  ])('refuses %j', (selector) => {
    expect(() => parseLabelSelector(selector)).toThrow(ResourceStoreError);
    expect(() => parseLabelSelector(selector)).toThrow(expect.objectContaining({ code: 'invalid_selector' }));
  });

  it('says what stands where, and shows at most 100 characters of a text', () => {
    expect(() => parseLabelSelector('team=a b')).toThrow(
      'The label selector "team=a b" cannot be used: "b" stands where "," or the end is expected.',
    );
    expect(() => parseLabelSelector('a'.repeat(100_000))).toThrow(/^.{200,300}$/);
  });
});
