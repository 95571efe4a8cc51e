import { describe, expect, it } from '@jest/globals';
import { parseChoice } from './choose-clients.ts';

const found = ['codex', 'cursor', 'zed'].map((client) => ({
  ...{ client, label: client, installed: true, groups: [], file: '', workloads: [] },
}));

describe('parseChoice', () => {
  it.each([
    ['', []],
    ['2', ['cursor']],
    ['1, 3', ['codex', 'zed']],
    ['3 zed,1', ['zed', 'codex']],
    ['all', ['codex', 'cursor', 'zed']],
  ])('reads %j', (typed, ids) => expect(parseChoice(typed, found)).toEqual({ ids }));

  it.each([
    ['0', '0'],
    ['1,4', '4'],
    ['-1', '-1'],
    ['vscode', 'vscode'],
    ['all zed', 'all'],
  ])('does not read %j', (typed, unknown) => expect(parseChoice(typed, found)).toEqual({ unknown }));
});
