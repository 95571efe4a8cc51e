import { describe, expect, it } from '@jest/globals';
import { requireValues, spellBooleans, splitArguments, unknownCommand, unknownFlags } from './argv.ts';
import { nearest } from '../errors/nearest.ts';

describe('the arguments of a command', () => {
  it('end at the first --, and the following arguments are unchanged', () => {
    expect(splitArguments(['run', 'a', '--', '-x', '--', '-x', '', '--help'])).toEqual({
      own: ['run', 'a'],
      passed: ['-x', '--', '-x', '', '--help'],
    });
    expect(splitArguments(['--'])).toEqual({ own: [], passed: [] });
    expect(splitArguments(['a', '--name=--'])).toEqual({ own: ['a', '--name=--'], passed: [] });
  });

  it('accept only true and false as values of a boolean flag', () => {
    const booleans = new Set(['json', 'all']);
    expect(spellBooleans(['--json=true', '--all=false', '--name=false', 'json=false', '--json=1'], booleans)).toEqual([
      '--json',
      '--name=false',
      'json=false',
      '--json',
    ]);
    expect(spellBooleans(['--json=false', '--all=false'], booleans, new Set(), new Set(['all']))).toEqual(['--no-all']);
    for (const value of ['', 'yes', 'TRUE', 'false ']) {
      expect(() => spellBooleans([`--json=${value}`], booleans)).toThrow('--json');
    }
  });
});

describe('a flag without its value', () => {
  const valued = new Set(['--name', '--env', '-e']);
  const known = new Set(['name', 'env', 'json']);

  it.each([
    [['--name', '--json'], '--name'],
    [['-e', '--name=x'], '-e'],
    [['img', '--env', '--name', 'x'], '--env'],
  ])('%j is refused with the name of the flag', (words, flag) => {
    expect(() => requireValues(words, valued, known)).toThrow(`${flag} expects a value`);
  });

  it.each([
    [['--name', 'x', '--json']],
    [['-e', '--foreign=x']],
    [['--name=--json']],
    [['--env', 'A=--json', '--json']],
  ])('%j is none', (words) => expect(() => requireValues(words, valued, known)).not.toThrow());

  it('does not include a letter followed by an equals sign', () => {
    expect(() => spellBooleans(['-f=false'], new Set(['foreground']), new Set(['f']))).toThrow('-f=false');
    expect(spellBooleans(['-e=x'], new Set(), new Set(['f']))).toEqual(['-e=x']);
  });
});

describe('an unknown command', () => {
  it.each([
    [['lst'], "Unknown command 'lst'", 'gatehouse list'],
    [['list', 'extra'], 'Unexpected argument: extra', 'gatehouse list --help'],
    [['frobnicate'], "Unknown command 'frobnicate'", 'gatehouse --help   lists the commands'],
  ])('%j: %s', (words, sentence, advice) => {
    const { code, message, tryNext } = unknownCommand(words, ['list', 'logs', 'run']);
    expect(code).toBe('usage');
    expect(message).toContain(sentence);
    expect(tryNext[0]).toBe(advice);
  });
});

describe('an unknown command of several words', () => {
  it.each([
    [['admin', 'grops', 'list'], "Unknown command 'admin grops'", 'gatehouse admin groups'],
    [['admin', 'groups', 'lst'], "Unknown command 'admin groups lst'", 'gatehouse admin groups list'],
    [['admin', 'groups', 'xyzzy'], "Unknown command 'admin groups xyzzy'", 'gatehouse admin groups --help   lists'],
    [['admn', 'groups'], "Unknown command 'admn'", 'gatehouse admin'],
    [['admin', 'groups', 'list', 'x'], 'Unexpected argument: x', 'gatehouse admin groups list --help'],
  ])('%j: %s', (words, sentence, advice) => {
    const { message, tryNext } = unknownCommand(words, [
      'admin:groups:list',
      'admin:groups:get',
      'admin:audit',
      'list',
    ]);
    expect(message).toBe(sentence);
    expect(tryNext[0]).toContain(advice);
  });
});

describe('the suggestion for an unknown flag', () => {
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

  it('does not contain the value, which may be a secret', () => {
    const failure = unknownFlags(['--tokn=hunter2', '-z'], ['token'], false);
    expect(JSON.stringify([failure.message, failure.tryNext])).not.toContain('hunter2');
    expect(failure.message).toContain('--tokn, -z');
    expect(failure.tryNext[0]).toContain('--token');
  });
});
