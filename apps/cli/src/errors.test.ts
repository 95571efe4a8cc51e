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

  it('is the code 130 after Ctrl-C', () => expect(reportOf(new Interrupted(), false).exitCode).toBe(130));
});
