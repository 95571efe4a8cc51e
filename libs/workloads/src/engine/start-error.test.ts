import { describe, expect, it } from '@jest/globals';
import { readRunConfig } from '../configuration/run-config.ts';
import { toStartError } from './start-error.ts';

const CONFIG = readRunConfig(JSON.stringify({ name: 'files', image: 'x' }));
const RUNC = 'unable to start container process: unable to apply cgroup configuration';

describe('an error of the engine at the start of a container', () => {
  it.each([
    [`${RUNC}: failed to write 512: openat2 /sys/fs/cgroup/pids.max: no such file`, '--pids-limit none'],
    [`${RUNC}: failed to write memory.max: controller is missing`, '--memory none'],
    [`${RUNC}: openat2 /sys/fs/cgroup/cpu.max: no such file or directory`, '--cpus none'],
  ])('names the limit that the engine cannot set: %s', (message, flag) => {
    const { message: sentence, tryNext } = toStartError(new Error(message), CONFIG);
    expect(sentence).toContain('The container engine cannot limit files');
    expect(tryNext).toEqual([`${flag}   runs the server without this limit`]);
  });

  it('names no limit for a process that cannot join its cgroup', () => {
    const message = `${RUNC}: write /sys/fs/cgroup/cpu/docker/1/cgroup.procs: invalid argument: unknown`;
    expect(toStartError(new Error(message), CONFIG).message).toBe(`files did not start: ${message}`);
  });
});
