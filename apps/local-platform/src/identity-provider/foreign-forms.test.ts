import { describe, expect, it } from '@jest/globals';
import { isForeignForm, isFormPath } from './foreign-forms.ts';

const HOSTS = new Set(['127.0.0.1:8090', 'localhost:8090']);

describe('isForeignForm', () => {
  it.each([
    [{}],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'null' }],
    [{ origin: 'http://127.0.0.1:8090' }],
  ])('accepts a form with %j', (headers) => {
    expect(isForeignForm(headers, HOSTS)).toBe(false);
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:3000' }],
    [{ origin: 'http://127.0.0.1:3000' }],
    [{ origin: 'https://hostile.example' }],
    [{ origin: 'nonsense' }],
  ])('refuses a form with %j', (headers) => {
    expect(isForeignForm(headers, HOSTS)).toBe(true);
  });
});

it.each([
  ['/interaction/abc', true],
  ['/device', true],
  ['/session/end/confirm', true],
  ['/session/end', false],
  ['/token', false],
  ['/devices', false],
])('isFormPath of %s is %s', (path, expected) => {
  expect(isFormPath(path)).toBe(expected);
});
