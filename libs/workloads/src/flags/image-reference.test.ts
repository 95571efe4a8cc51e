import { describe, expect, it } from '@jest/globals';
import { isImageReference, splitImageReference } from './image-reference.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

describe('isImageReference', () => {
  it.each([
    'alpine',
    'alpine:3.20',
    'owner/server',
    'ghcr.io/owner/server:v1.0_x',
    'localhost:5000/a/b/c',
    '[::1]:5000/a',
    'a__b/c-d---e:1',
    `server@${DIGEST}`,
    `server:1@${DIGEST}`,
    DIGEST,
  ])('accepts %s', (text) => expect(isImageReference(text)).toBe(true));

  it.each([
    '',
    ' ',
    'Owner/server',
    'server:',
    ':tag',
    'a//b',
    '/a',
    'a/',
    'a b',
    'a:b:c',
    '-a',
    '../a',
    'a..b',
    'server@sha256:short',
    'a'.repeat(256),
    `a:${'t'.repeat(129)}`,
    'a\nb',
    'a;rm -rf /',
    'a?x=1',
    '--name',
  ])('refuses %j', (text) => expect(isImageReference(text)).toBe(false));

  it.each([
    ['alpine', 'alpine', 'latest'],
    ['localhost:5000/a', 'localhost:5000/a', 'latest'],
    ['localhost:5000/a:1', 'localhost:5000/a', '1'],
    [`a:1@${DIGEST}`, 'a', DIGEST],
    [`localhost:5000/a@${DIGEST}`, 'localhost:5000/a', DIGEST],
  ])('splits %s into %s and %s', (text, name, tag) => expect(splitImageReference(text)).toEqual({ name, tag }));
});
