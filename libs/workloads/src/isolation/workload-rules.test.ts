import { describe, expect, it } from '@jest/globals';
import { readRules, type WorkloadRules, writeRules } from './workload-rules.ts';

const RULES: WorkloadRules = {
  workload: 'one',
  session: 'a1b2c3d4e5f6',
  number: 1,
  addresses: ['10.231.0.14'],
  policy: { allowAll: false, hosts: ['a.example'], ports: [443], allowGateway: false },
  hosts: [],
  machine: [],
  ingress: [{ port: 80, host: '10.231.0.2', isPublished: false }],
};

describe('the line with the rules of a workload', () => {
  const line = writeRules(RULES);

  it('is read again', () => {
    expect(line).toMatch(/^[^\n]+\n$/);
    expect(readRules(line.trimEnd())).toEqual(RULES);
  });

  it('is ignored when lines of other supervisors are mixed with it', () => {
    const other = writeRules({ ...RULES, workload: 'other' }).trimEnd();
    const middle = line.length / 2;
    for (const mixed of [
      line.slice(0, middle),
      line.slice(middle).trimEnd(),
      line.slice(0, middle) + other,
      line.trimEnd() + other,
      line.replace('a.example', 'b.example').trimEnd(),
      '',
    ])
      expect(readRules(mixed)).toBeUndefined();
  });
});
