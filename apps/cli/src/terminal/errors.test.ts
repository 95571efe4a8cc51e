import { describe, expect, it } from '@jest/globals';
import { WorkloadFailure, type FailureKind } from '@gatehouse/workloads/failure';
import { Interrupted, reportOf } from './errors.ts';

describe('what a failed command says', () => {
  it.each<[FailureKind, number]>([
    ['failed', 1],
    ['usage', 2],
    ['no-engine', 3],
    ['conflict', 4],
    ['refused', 5],
  ])('%s exits with %d', (kind, code) => expect(reportOf(new WorkloadFailure(kind, 'x'), false).exitCode).toBe(code));

  it('is the sentence, what the server wrote, and what to try', () => {
    const failure = new WorkloadFailure('failed', 'It broke', ['this', 'that'], new Error('deep'), ['last line']);
    expect(reportOf(failure, false).lines).toEqual(['Error: It broke', '  | last line', 'Try: this', '     that']);
    expect(reportOf(failure, true).lines.at(-1)).toContain('Error: deep');
  });

  it('has no stack unless asked for, even of what nobody foresaw', () => {
    expect(reportOf(new TypeError('x is not a function'), false).lines.join('\n')).not.toContain(' at ');
    expect(reportOf(new TypeError('x is not a function'), true).lines.join('\n')).toContain(' at ');
    expect(reportOf('a string', false)).toMatchObject({ exitCode: 1, lines: ['Error: a string', expect.anything()] });
  });

  it('shows what others said, and would write over the terminal, as text', () => {
    const evil = '\u001b[2Jgone\u009b31m\u202e';
    const cause = new Error(evil);
    for (const error of [new WorkloadFailure('failed', evil, [evil], cause, [evil]), new SyntaxError(evil)]) {
      const { lines } = reportOf(error, true);
      expect(lines.join('')).toContain('\\u001b[2Jgone\\u009b31m\\u202e');
      expect(lines.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });

  it.each([
    ['Missing 1 required arg:\nkey  id or name\nSee more help with --help', 'Give the id or name'],
    ['The following error occurred:\n  Missing required flag issuer\nSee more help with --help', 'Give --issuer'],
    ['Parsing --limit \n\tExpected an integer but received: \nx\nSee more help', '--limit must be an integer'],
    ['The following errors occurred:\n  Missing required flag a\n  Missing required flag b', 'Give --a; Give --b'],
  ])('is one sentence for what the parser says: %j', (said, sentence) => {
    const error = Object.assign(new Error(said), { oclif: { exit: 2 } });
    expect(reportOf(error, false)).toEqual({
      exitCode: 2,
      lines: [`Error: ${sentence}`, 'Try: add --help'],
      document: { error: { kind: 'usage', message: sentence, exit_code: 2, try: ['add --help'] } },
    });
  });

  it('is the code 130 after Ctrl-C', () => expect(reportOf(new Interrupted(), false).exitCode).toBe(130));
});
