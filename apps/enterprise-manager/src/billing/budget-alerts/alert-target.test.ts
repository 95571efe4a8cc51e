import { describe, expect, it } from '@jest/globals';
import { checkTarget } from './alert-target.ts';

const check = (
  url: string,
  addresses: string[] = ['93.184.216.34'],
  allow_private_ips = false,
  allowLoopback = false,
) => checkTarget({ url, allow_private_ips }, allowLoopback, () => Promise.resolve(addresses));

describe('checkTarget', () => {
  it('accepts a public address over https', async () => {
    await expect(check('https://hooks.example.com/budget?token=1')).resolves.toBeUndefined();
    await expect(check('https://93.184.216.34/')).resolves.toBeUndefined();
  });

  it('accepts an unknown host name', async () => {
    const rejectLookup = () => Promise.reject(new Error('ENOTFOUND'));
    const target = { url: 'https://hooks.example.com/', allow_private_ips: false };
    await expect(checkTarget(target, false, rejectLookup)).resolves.toBeUndefined();
  });

  it.each([
    ['http://hooks.example.com/', []],
    ['https://127.0.0.1/', []],
    ['https://2130706433/', []],
    ['https://0x7f.1/', []],
    ['https://[::1]/', []],
    ['https://10.0.0.1/', []],
    ['https://169.254.169.254/latest/meta-data', []],
    ['https://hooks.example.com/', ['10.0.0.1']],
    ['https://hooks.example.com/', ['93.184.216.34', '127.0.0.1']],
  ])('refuses %p with the addresses %p as unprocessable', async (url, addresses) => {
    await expect(check(url, addresses)).rejects.toMatchObject({
      kind: 'unprocessable',
      violations: [{ field: '/url' }],
    });
  });

  it.each([
    'hooks.example.com',
    'ftp://hooks.example.com/',
    'https://',
    'https://u:p@hooks.example.com/',
    'https://hooks.example.com/#x',
    'javascript:alert(1)',
  ])('refuses %p as invalid', async (url) => {
    await expect(check(url)).rejects.toMatchObject({ kind: 'invalid', violations: [{ field: '/url' }] });
  });

  it('accepts private addresses if allowed, and loopback if the deployment also allows it', async () => {
    await expect(check('http://10.0.0.1/', [], true)).resolves.toBeUndefined();
    await expect(check('http://127.0.0.1/', [], true)).rejects.toMatchObject({ kind: 'unprocessable' });
    await expect(check('http://127.0.0.1/', [], true, true)).resolves.toBeUndefined();
    await expect(check('http://169.254.169.254/', [], true, true)).rejects.toMatchObject({ kind: 'unprocessable' });
  });
});
