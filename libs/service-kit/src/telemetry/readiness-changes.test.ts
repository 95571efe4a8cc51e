import { describe, expect, it } from '@jest/globals';
import { ReadinessChanges } from './readiness-changes.ts';

describe('ReadinessChanges', () => {
  it('logs each change once', () => {
    const lines: string[] = [];
    const line = (level: string) => (fields: object, message: string) => {
      lines.push(`${level} ${message} ${(fields as { check: string }).check}`);
    };
    const changes = new ReadinessChanges({ info: line('info'), warn: line('warn') });
    const fails = (...names: string[]) => names.map((name) => ({ name, cause: new Error('away') }));
    for (let probe = 0; probe < 100; probe += 1) changes.note(fails('directory'));
    for (let probe = 0; probe < 100; probe += 1) changes.note(fails('directory', 'database'));
    for (let probe = 0; probe < 100; probe += 1) changes.note(fails('database'));
    for (let probe = 0; probe < 100; probe += 1) changes.note([]);
    for (let probe = 0; probe < 100; probe += 1) changes.note([{ name: 'shutting down', cause: undefined }]);
    expect(lines).toEqual([
      'warn not ready directory',
      'warn not ready database',
      'info ready again directory',
      'info ready again database',
    ]);
  });
});
