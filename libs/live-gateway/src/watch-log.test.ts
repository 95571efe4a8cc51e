import { describe, expect, it } from '@jest/globals';
import type { Log } from '@gatehouse/service-kit/log';
import { WatchLog } from './watch-log.ts';

const start = () => {
  const lines: object[] = [];
  const write = (level: string) => (fields: object, message: string) => lines.push({ level, message, ...fields });
  const log = { info: write('info'), warn: write('warn') } as unknown as Log;
  return { lines, watch: new WatchLog('AIPolicy', log) };
};
const cause = new Error('connect ECONNREFUSED 127.0.0.1:6443');

describe('WatchLog', () => {
  it('logs the failure that ended a watch, once, and the end of the failure', () => {
    const { lines, watch } = start();
    watch.report({ status: 'unreachable', problems: [], cause });
    watch.report({ status: 'unreachable', problems: [], cause });
    watch.report({ status: 'following', problems: [] });
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'the resources cannot be followed',
        kind: 'AIPolicy',
        status: 'unreachable',
        err: cause,
      },
      { level: 'info', message: 'the resources are followed again', kind: 'AIPolicy' },
    ]);
  });

  it('logs nothing when the watch begins without a failure', () => {
    const { lines, watch } = start();
    watch.report({ status: 'following', problems: [] });
    expect(lines).toEqual([]);
  });
});
