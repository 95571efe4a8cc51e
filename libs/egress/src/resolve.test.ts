import { describe, expect, it } from '@jest/globals';
import { checkName, resolveHostname } from './resolve.ts';
import { PUBLIC_ONLY, readTarget } from './target.ts';

describe('resolveHostname', () => {
  it('finds names of the hosts file', async () => {
    expect(await resolveHostname('localhost')).toEqual(expect.arrayContaining(['127.0.0.1']));
  });

  it('rejects an unknown name with its DNS code', async () => {
    await expect(resolveHostname('nowhere.invalid')).rejects.toMatchObject({
      code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) as unknown,
    });
  });
});

describe('checkName', () => {
  const url = readTarget('https://login.example.com/');

  it('accepts a name that does not resolve yet', async () => {
    await expect(checkName(url, PUBLIC_ONLY, () => Promise.reject(new Error('ENOTFOUND')))).resolves.toBeUndefined();
  });

  it('refuses a name with one refused address', async () => {
    await expect(
      checkName(url, PUBLIC_ONLY, () => Promise.resolve(['93.184.216.34', '10.0.0.1'])),
    ).rejects.toMatchObject({ rule: 'address' });
  });
});
