import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BoundedLog, getOlderPart } from './bounded-log.ts';
import { readLogFile } from '../logs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('BoundedLog', () => {
  it('never exceeds twice its maximum size and keeps the newest output', () => {
    const path = join(folder, 'server.log');
    const log = new BoundedLog(path, 1000);
    for (let line = 0; line < 500; line += 1) log.write(`line ${line}\n`);
    log.close();
    expect(statSync(path).size + statSync(getOlderPart(path)).size).toBeLessThanOrEqual(2000);
    expect(readFileSync(path, 'utf8')).toMatch(/line 499\n$/);
    expect([path, getOlderPart(path)].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it('appends to the log of an earlier process', () => {
    const path = join(folder, 'server.log');
    for (const text of ['one\n', 'two\n']) {
      const log = new BoundedLog(path);
      log.write(text);
      log.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  });

  it('loses lines without an error when the log is not writable', () => {
    const log = new BoundedLog('/dev/full');
    expect(() => log.write('lost')).not.toThrow();
    log.close();
  });

  it('is read in order and followed across a rotation', async () => {
    const path = join(folder, 'server.log');
    const log = new BoundedLog(path, 20);
    log.write('first\n');
    log.write('second\n');
    log.write('third line\n');
    const abort = new AbortController();
    let seen = '';
    const reading = readLogFile(path, true, (_stream, data) => (seen += data.toString()), abort.signal);
    const until = async (text: string) => {
      while (!seen.includes(text) && !abort.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await until('third line');
    log.write('a fourth line\n');
    await until('fourth');
    log.write('5\n');
    await until('5');
    abort.abort();
    await reading;
    log.close();
    expect(seen).toBe('first\nsecond\nthird line\na fourth line\n5\n');
  }, 10_000);
});
