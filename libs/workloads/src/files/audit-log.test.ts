import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditLog } from './audit-log.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('AuditLog', () => {
  let folder: string;
  let reports: string[];
  let now: number;
  beforeEach(() => {
    now = 0;
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-audit-'));
    reports = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = (path = join(folder, 'audit.log'), maxBytes = 100) =>
    new AuditLog({
      ...{ path, maxBytes, maxFiles: 2, now: () => now },
      report: (sentence) => void reports.push(sentence),
    });
  const read = (name = 'audit.log') => readFileSync(join(folder, name), 'utf8');

  it('appends the lines of a turn, and those that wait when it is closed', async () => {
    const log = open();
    log.write('one\n');
    log.write('two\n');
    await turn();
    expect(read()).toBe('one\ntwo\n');
    log.write('three\n');
    log.close();
    expect(read()).toBe('one\ntwo\nthree\n');
    open().close();
    expect(read()).toBe('one\ntwo\nthree\n');
  });

  it('keeps the given number of older files, without a cut line', async () => {
    const log = open();
    for (let number = 0; number < 9; number += 1) {
      log.write(`${String(number).repeat(59)}\n`);
      await turn();
    }
    log.close();
    expect(readdirSync(folder).toSorted()).toEqual(['audit.log', 'audit.log.1', 'audit.log.2']);
    expect(['audit.log', 'audit.log.1', 'audit.log.2'].map((name) => read(name)[0])).toEqual(['8', '7', '6']);
    expect(read('audit.log.2')).toHaveLength(60);
  });

  it('creates the file again within 100 ms after another program has moved it', async () => {
    const log = open();
    log.write('one\n');
    await turn();
    renameSync(join(folder, 'audit.log'), join(folder, 'moved'));
    log.write('two\n');
    await turn();
    now += 100;
    log.write('three\n');
    await turn();
    log.close();
    expect([read('moved'), read()]).toEqual(['one\ntwo\n', 'three\n']);
  });

  it('does not rotate a file that another program has put in the place of its own', async () => {
    const log = open();
    log.write(`${'1'.repeat(89)}\n`);
    await turn();
    renameSync(join(folder, 'audit.log'), join(folder, 'moved'));
    log.write(`${'2'.repeat(89)}\n`);
    await turn();
    log.close();
    expect(readdirSync(folder).toSorted()).toEqual(['audit.log', 'moved']);
    expect(read()).toBe(`${'2'.repeat(89)}\n`);
  });

  it('reports a full disk once, and never throws', async () => {
    const log = open('/dev/full', 1_000);
    for (let number = 0; number < 3; number += 1) {
      log.write('lost\n');
      await turn();
    }
    log.close();
    expect(reports).toEqual([expect.stringMatching(/^audit events are lost: \/dev\/full cannot be written: ENOSPC/)]);
  });
});
