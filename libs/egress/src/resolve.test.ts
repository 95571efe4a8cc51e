import { describe, expect, it } from '@jest/globals';
import { judgeName, promptResolve } from './resolve.ts';
import { PUBLIC_ONLY, readTarget } from './target.ts';

describe('the look-up of a name', () => {
  it('finds what only the files of this machine know', async () => {
    expect(await promptResolve('localhost')).toEqual(expect.arrayContaining(['127.0.0.1']));
  });

  it('says that nobody knows a name', async () => {
    await expect(promptResolve('nowhere.invalid')).rejects.toMatchObject({
      code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) as unknown,
    });
  });
});

describe('a name that is about to be saved', () => {
  const url = readTarget('https://login.example.com/');

  it('may be one that nobody knows yet', async () => {
    await expect(judgeName(url, PUBLIC_ONLY, () => Promise.reject(new Error('ENOTFOUND')))).resolves.toBeUndefined();
  });

  it('is refused when one of its addresses may not be dialled', async () => {
    await expect(
      judgeName(url, PUBLIC_ONLY, () => Promise.resolve(['93.184.216.34', '10.0.0.1'])),
    ).rejects.toMatchObject({ rule: 'address' });
  });
});
