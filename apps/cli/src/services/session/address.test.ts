import { describe, expect, it } from '@jest/globals';
import { managerAddress } from './address.ts';

describe('the address of a manager', () => {
  it.each([
    ['https://Gatehouse.example.com', 'https://gatehouse.example.com'],
    ['https://gatehouse.example.com/', 'https://gatehouse.example.com'],
    ['https://gatehouse.example.com:443/a/b//', 'https://gatehouse.example.com/a/b'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://localhost:8080/', 'http://localhost:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('%s is kept as %s', (text, address) => expect(managerAddress(text, '--url')).toBe(address));

  it.each([
    'http://gatehouse.example.com',
    'http://127.0.0.1.evil.test',
    'http://127.0.0.1@evil.test',
    'https://user@gatehouse.example.com',
    'https://gatehouse.example.com?x',
    'https://gatehouse.example.com#x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gatehouse.example.com',
    '',
  ])('%j is none', (text) => expect(() => managerAddress(text, '--url')).toThrow('--url must'));
});
