import { effort } from '@gatehouse/testing/effort';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ElicitationHosts, findHostFault } from './elicitation-hosts.ts';

const isAllowed = (hosts: readonly string[], url: string): boolean =>
  new ElicitationHosts(hosts).isAllowed(new URL(url));

describe('findHostFault', () => {
  it.each([
    'login.example.com',
    '*.example.com',
    'example.com:8443',
    'LOGIN.Example.com',
    'bücher.example',
    '[::1]:99',
  ])('accepts %s', (host) => expect(findHostFault(host)).toBeUndefined());

  it.each([
    ...[
      '',
      '*',
      '*.',
      '*.com',
      '*.1.2.3.4',
      '*.[::1]',
      'a.*.com',
      'https://example.com',
      'example.com/',
      'example.com.',
      'a..com',
      'example.com:0',
    ],
    ...[
      'user@example.com',
      'example.com:',
      'example.com:99999',
      'example.com?x',
      'a b.com',
      'a\\b.com',
      'ex%61mple.com',
    ],
  ])('refuses %j', (host) => expect(findHostFault(host)).toContain('is not a host'));
});

describe('ElicitationHosts', () => {
  const HOSTS = ['login.example.com', '*.example.org', 'example.net:8443', 'bücher.example', 'localhost:3000'];

  it.each([
    ...['https://login.example.com/x?y#z', 'https://LOGIN.EXAMPLE.COM', 'https://login.example.com:443/'],
    ...['https://a.example.org', 'https://a.b.example.org', 'https://example.net:8443/'],
    ...['https://xn--bcher-kva.example/', 'https://BÜCHER.example/', 'http://localhost:3000/'],
  ])('allows %s', (url) => expect(isAllowed(HOSTS, url)).toBe(true));

  it.each([
    ...['http://login.example.com/', 'https://login.example.com:8443/', 'https://login.example.com./'],
    ...['https://login.example.com@evil.test/', 'https://user@login.example.com/', 'https://:pw@login.example.com/'],
    ...[
      'https://evil.test\\@login.example.com/',
      'https://evil.test#@login.example.com/',
      'https://evil.test/?login.example.com',
    ],
    ...['https://example.org/', 'https://badexample.org/', 'https://a.example.org.evil.test/', 'https://example.net/'],
    ...['data:text/html,login.example.com', 'javascript:alert(1)', 'blob:https://login.example.com/1'],
    ...['https://[::1]/', 'http://localhost/', 'ftp://login.example.com/', 'https://1.2.3.4/'],
  ])('refuses %s', (url) => expect(isAllowed(HOSTS, url)).toBe(false));

  it('allows no host below a sibling, for any label', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'] }), (text) => {
        const url = new URL(text);
        const expected = url.hostname.endsWith('.example.org') && url.port === '';
        expect(isAllowed(['*.example.org'], text)).toBe(expected);
      }),
      { numRuns: 300 * effort },
    );
  });
});
