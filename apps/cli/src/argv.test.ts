import { describe, expect, it } from '@jest/globals';
import { nearest, spellBooleans, splitArguments, unknownFlags } from './argv.ts';

describe('the words of a command', () => {
  it('end at the first --, and what follows is handed on as it is', () => {
    expect(splitArguments(['run', 'a', '--', '-x', '--', '-x', '', '--help'])).toEqual({
      own: ['run', 'a'],
      passed: ['-x', '--', '-x', '', '--help'],
    });
    expect(splitArguments(['--'])).toEqual({ own: [], passed: [] });
    expect(splitArguments(['a', '--name=--'])).toEqual({ own: ['a', '--name=--'], passed: [] });
  });

  it('may say true and false of a boolean flag, and nothing else', () => {
    const booleans = new Set(['json', 'all']);
    expect(spellBooleans(['--json=true', '--all=false', '--name=false', 'json=false', '--json=1'], booleans)).toEqual([
      '--json',
      '--name=false',
      'json=false',
      '--json',
    ]);
    for (const value of ['', 'yes', 'TRUE', 'false ']) {
      expect(() => spellBooleans([`--json=${value}`], booleans)).toThrow('--json');
    }
  });
});

describe('the flag that was meant', () => {
  const known = ['name', 'env', 'env-file', 'proxy-port', 'target-port', 'strict-protocol-validation'];

  it.each([
    ['nmae', 'name'],
    ['proxy-prot', 'proxy-port'],
    ['port-proxy', undefined],
    ['strict', 'strict-protocol-validation'],
    ['envfile', 'env-file'],
    ['permission-profile', undefined],
    ['', undefined],
  ])('--%s: %s', (typed, meant) => expect(nearest(typed, known)).toBe(meant));

  it('is named without the value, which may be a secret', () => {
    const failure = unknownFlags(['--tokn=hunter2', '-z'], ['token']);
    expect(JSON.stringify([failure.message, failure.tryNext])).not.toContain('hunter2');
    expect(failure.message).toContain('--tokn, -z');
    expect(failure.tryNext[0]).toContain('--token');
  });
});
