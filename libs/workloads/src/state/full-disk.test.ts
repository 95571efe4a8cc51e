import { openSync, writeSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { describeWhen, type Fixture, unavailable } from '@gatehouse/testing/fixture';
import { isDiskFull, writeState } from './full-disk.ts';

const device: Fixture<string> =
  process.platform === 'linux'
    ? { available: true, value: '/dev/full' }
    : unavailable('Only Linux has a device that is always full.');

describeWhen(device, 'a full disk', (path) => {
  const write = () => writeSync(openSync(path, 'w'), 'x');

  it('is an error with the folder and what to do', () => {
    expect(() => writeState('/state', write)).toThrow(
      expect.objectContaining({ code: 'failed', message: expect.stringMatching(/^The disk of \/state is full/) }),
    );
    expect(isDiskFull(new Error('other'))).toBe(false);
  });

  it('leaves other errors as they are', () => {
    expect(() => writeState('/state', () => openSync('/nonexistent/x', 'w'))).toThrow('ENOENT');
    expect(writeState('/state', () => 7)).toBe(7);
  });
});
