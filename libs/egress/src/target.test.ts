import { describe, expect, it } from '@jest/globals';
import { EgressRefusalError } from './egress-refusal.ts';
import { PUBLIC_ONLY, type Permission, getAuthority, checkAddress, checkUrl, readTarget } from './target.ts';

const permissionFor = (endpoint: string, allowLoopback = false): Permission => ({
  authority: getAuthority(readTarget(endpoint)),
  allowPrivateIps: true,
  allowLoopback,
});
const getRefusedRule = (judge: () => unknown): string => {
  try {
    judge();
    return 'allowed';
  } catch (error) {
    if (error instanceof EgressRefusalError) return error.rule;
    throw error;
  }
};

describe('readTarget and checkUrl', () => {
  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://127.0.0.1:6379/_INFO',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://example.com/#top',
    'https://example.com/#',
    'https://exa mple.com/',
    'https://example.com\\@127.0.0.1/',
    'https://example.com/\r\nx: y',
    '\u0000https://example.com/',
    'https://',
    'https://[fe80::1%25eth0]/',
    'https://[::1',
    'https://example.com:99999/',
    'https://example.com:0/',
    'https://example.com:25/',
    'https://example.com:6379/',
    'http://10.0.0.1:2375/containers/json',
    'http://10.0.0.1:10250/',
    'https://0x7f.1.1.1.1.1/',
    'https://256.1.1.1/',
    'example.com',
    '//example.com',
    '',
  ])('refuse %j', (text) => {
    expect(getRefusedRule(() => readTarget(text))).toBe('malformed');
  });

  it.each([
    ['https://127.1/'],
    ['https://0x7f000001/'],
    ['https://2130706433/'],
    ['https://0177.0.0.1/'],
    ['https://0x7f.0.0.1/'],
    ['https://127.0.0.1./'],
    ['https://127。0。0。1/'],
    ['https://①②⑦.0.0.1/'],
    ['https://[::1]/'],
    ['https://[::ffff:127.0.0.1]/'],
    ['https://[::ffff:10.0.0.1]/'],
    ['https://[64:ff9b::a00:1]/'],
    ['https://[2002:a00:1::]/'],
    ['https://[fec0::1]/'],
    ['https://10.0.0.1/'],
    ['https://192.168.1.1:8443/'],
    ['https://0/'],
    ['https://0.0.0.0/'],
    ['https://[::]/'],
    ['https://169.254.169.254/latest/meta-data'],
    ['https://0xa9fea9fe/'],
    ['https://2852039166/'],
    ['https://[fe80::1]/'],
  ])('refuse the address of %s without a permission', (text) => {
    expect(getRefusedRule(() => checkUrl(readTarget(text), PUBLIC_ONLY))).toBe('address');
  });
});

describe('a permission for private addresses', () => {
  it('allows plain http and private addresses of its own authority', () => {
    const permission = permissionFor('http://10.1.2.3:8000/mcp');
    expect(getRefusedRule(() => checkUrl(readTarget('http://10.1.2.3:8000/other'), permission))).toBe('allowed');
  });

  it.each([
    ['another port', 'http://10.1.2.3:8001/mcp', 'insecure'],
    ['another port over https', 'https://10.1.2.3:8001/mcp', 'address'],
    ['another host', 'https://10.1.2.4:8000/mcp', 'address'],
    ['http elsewhere in public', 'http://example.com/', 'insecure'],
  ])('does not cover %s', (_, text, rule) => {
    expect(getRefusedRule(() => checkUrl(readTarget(text), permissionFor('http://10.1.2.3:8000/mcp')))).toBe(rule);
  });

  it('covers the host with and without a trailing dot, in upper and lower case', () => {
    const permission = permissionFor('http://Server.Internal.:8000/');
    const url = readTarget('http://server.internal:8000/');
    expect(getRefusedRule(() => checkUrl(url, permission))).toBe('allowed');
    expect(getRefusedRule(() => checkAddress('10.0.0.9', url, permission))).toBe('allowed');
  });

  it.each(['http://127.0.0.1:99/', 'http://[::1]:99/', 'http://2130706433:99/'])(
    'covers loopback (%s) only where the deployment allows it',
    (text) => {
      expect(getRefusedRule(() => checkUrl(readTarget(text), permissionFor(text)))).toBe('address');
      expect(getRefusedRule(() => checkUrl(readTarget(text), permissionFor(text, true)))).toBe('allowed');
    },
  );

  it.each([
    'http://169.254.169.254/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://0.0.0.0:8080/',
    'http://0:8080/',
    'http://[::]:8080/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://255.255.255.255/',
  ])('never covers %s', (text) => {
    expect(getRefusedRule(() => checkUrl(readTarget(text), permissionFor(text, true)))).toBe('address');
  });

  it('can allow http for public addresses of its authority alone', () => {
    const permission = { ...PUBLIC_ONLY, authority: 'id.example.test:80', allowHttp: true };
    expect(getRefusedRule(() => checkUrl(readTarget('http://id.example.test/'), permission))).toBe('allowed');
    expect(getRefusedRule(() => checkUrl(readTarget('http://other.example.test/'), permission))).toBe('insecure');
    const local = { ...permission, authority: '127.0.0.1:80' };
    expect(getRefusedRule(() => checkUrl(readTarget('http://127.0.0.1/'), local))).toBe('address');
  });

  it('is named as missing together with the authority', () => {
    for (const text of ['https://[fc00::1]:8443/', 'https://10.0.0.1.:8443/']) {
      const [, authority] = /\/\/(.*?)\.?:8443/.exec(text) ?? [];
      expect(() => checkUrl(readTarget(text), PUBLIC_ONLY)).toThrow(`${authority}:8443 is a private address`);
    }
  });

  it('is needed for loopback behind a name, also where the deployment allows loopback', () => {
    const url = readTarget('https://localhost./mcp');
    expect(getRefusedRule(() => checkAddress('127.0.0.1', url, { ...PUBLIC_ONLY, allowLoopback: true }))).toBe(
      'address',
    );
  });
});
