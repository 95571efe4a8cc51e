import { describe, expect, it } from '@jest/globals';
import { WorkloadError, type WorkloadErrorCode } from '@gatehouse/workloads/errors/workload-error';
import { CommandFailedError, ConflictError, InterruptedError, RefusedError, UsageError } from '../errors/cli-error.ts';
import { createErrorReport } from './error-report.ts';

describe('createErrorReport', () => {
  it.each<[WorkloadErrorCode, number]>([
    ['failed', 1],
    ['usage', 2],
    ['no-engine', 3],
    ['conflict', 4],
    ['refused', 5],
  ])('exits with the code of the workload failure %s: %d', (kind, code) =>
    expect(createErrorReport(new WorkloadError(kind, 'x'), false).exitCode).toBe(code),
  );

  it.each([
    [new UsageError('x', ['y']), 'usage', 2],
    [new ConflictError('x', ['y']), 'conflict', 4],
    [new RefusedError('x', ['y']), 'refused', 5],
    [new CommandFailedError('x', ['y']), 'failed', 1],
  ])('reports %s with its code and exit code', (error, kind, exitCode) =>
    expect(createErrorReport(error, false)).toEqual({
      exitCode,
      lines: ['Error: x', 'Try: y'],
      document: { error: { kind, message: 'x', exit_code: exitCode, try: ['y'] } },
    }),
  );

  it('reports the sentence, the last lines of the server and the advice', () => {
    const failure = new WorkloadError('failed', 'It broke', ['this', 'that'], new Error('deep'), ['last line']);
    expect(createErrorReport(failure, false).lines).toEqual([
      'Error: It broke',
      '  | last line',
      'Try: this',
      '     that',
    ]);
    expect(createErrorReport(failure, true).lines.at(-1)).toContain('Error: deep');
  });

  it('includes the stack of an unexpected error only with --debug', () => {
    expect(createErrorReport(new TypeError('x is not a function'), false).lines.join('\n')).not.toContain(' at ');
    expect(createErrorReport(new TypeError('x is not a function'), true).lines.join('\n')).toContain(' at ');
    expect(createErrorReport('a string', false)).toMatchObject({
      exitCode: 1,
      lines: ['Error: a string', expect.anything()],
    });
  });

  it('escapes control characters in texts of services and servers', () => {
    const evil = '\u001b[2Jgone\u009b31m\u202e';
    const cause = new Error(evil);
    for (const error of [new WorkloadError('failed', evil, [evil], cause, [evil]), new SyntaxError(evil)]) {
      const { lines } = createErrorReport(error, true);
      expect(lines.join('')).toContain('\\u001b[2Jgone\\u009b31m\\u202e');
      expect(lines.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });

  it.each([
    ['The following error occurred:\n  Missing required flag issuer\nSee more help with --help', 'Give --issuer'],
    ['Parsing --limit \n\tExpected an integer but received: \nx\nSee more help', '--limit must be an integer'],
    ['Expected --status=x to be one of: a, b\nSee more help with --help', '--status x is not one of a, b'],
    ['The following errors occurred:\n  Missing required flag a\n  Missing required flag b', 'Give --a; Give --b'],
  ])('turns a message of the flag parser into one sentence: %j', (text, sentence) => {
    const error = Object.assign(new Error(text), { oclif: { exit: 2 } });
    expect(createErrorReport(error, false)).toEqual({
      exitCode: 2,
      lines: [`Error: ${sentence}`, 'Try: --help   lists the flags'],
      document: { error: { kind: 'usage', message: sentence, exit_code: 2, try: ['--help   lists the flags'] } },
    });
  });

  it('names missing arguments by their descriptions, and the help of the command', () => {
    const args = [{ description: 'key of the setting' }, { description: 'kind of the value', options: ['a', 'b'] }];
    const parse = { input: { context: { id: 'settings:set' } } };
    const error = Object.assign(new Error('Missing 2 required args:\nkey  x'), { oclif: { exit: 2 }, args, parse });
    expect(createErrorReport(error, false).lines).toEqual([
      'Error: Give the key of the setting, and the kind of the value (one of a, b)',
      'Try: gatehouse settings set --help',
    ]);
  });

  it('says how a server gets arguments', () => {
    const parse = { input: { context: { id: 'run' } } };
    const error = Object.assign(new Error('Unexpected argument: x'), { oclif: { exit: 2 }, parse });
    expect(createErrorReport(error, false).lines).toEqual([
      'Error: Unexpected argument: x',
      'Try: -- ARGS   gives arguments to the server',
      '     gatehouse run --help',
    ]);
  });

  it('exits with 130 after Ctrl-C', () => expect(createErrorReport(new InterruptedError(), false).exitCode).toBe(130));
});
