import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  mkdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getHome } from './home.ts';
import { identifyProcess } from './process-identity.ts';
import { createRunConfig } from '../configuration/create-run-config.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { parseRunFlags } from '../flags/run-flags.ts';
import { describeState, shouldRun } from './state.ts';
import { WorkloadStore } from './store.ts';

const NOW = new Date('2026-01-02T03:04:05Z');
let folder: string;
let store: WorkloadStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  store = new WorkloadStore(getHome(folder, '/elsewhere'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const config = (name: string): RunConfig => ({
  ...createRunConfig(parseRunFlags('owner/server', [], { name, transport: 'stdio' }, '/'), {
    containerName: name,
    engine: 'unix:///x',
    host: '127.0.0.1',
    networkRange: ['10.9.0.0/16'],
  }),
  port: 12_345,
});
const gone = { pid: process.pid, started: 'long ago' };
const state = (name: string, running: boolean | undefined) =>
  describeState(store.read(name)!, running === undefined ? undefined : [{ workload: name, running }]).status;

describe('WorkloadStore', () => {
  it('gives a name to one of two callers', () => {
    store.reserve(config('one'), undefined, NOW);
    expect(() => store.reserve(config('one'), undefined, NOW)).toThrow(/already exists/);
    expect(readdirSync(join(folder, 'workloads'))).toEqual(['one']);
  });

  it('creates files that only their owner can read', () => {
    store.reserve(config('one'), undefined, NOW);
    store.writeConfig(config('one'));
    expect(statSync(join(folder, 'workloads', 'one')).mode & 0o777).toBe(0o700);
    for (const file of ['run.json', 'status.json']) {
      expect(statSync(join(folder, 'workloads', 'one', file)).mode & 0o777).toBe(0o600);
    }
  });

  it('keeps the time of creation at every change', () => {
    store.reserve(config('one'), undefined, NOW);
    store.writeStatus('one', { status: 'running' }, new Date('2027-01-01T00:00:00Z'));
    expect(store.read('one')?.status).toMatchObject({ status: 'running', created_at: NOW.toISOString() });
  });

  it('tells a workload from a later one of its name', () => {
    store.reserve(config('one'), undefined, NOW);
    const createdAt = store.read('one')?.status?.created_at;
    store.writeStatus('one', { status: 'running' }, new Date('2026-02-02T00:00:00Z'));
    expect(store.isCreatedAt('one', createdAt)).toBe(true);
    store.remove('one');
    expect(store.isCreatedAt('one', createdAt)).toBe(false);
    store.reserve(config('one'), undefined, new Date('2026-02-02T00:00:01Z'));
    expect(store.isCreatedAt('one', createdAt)).toBe(false);
    writeFileSync(join(folder, 'workloads', 'one', 'status.json'), '{');
    expect(store.isCreatedAt('one', createdAt)).toBe(true);
  });

  it('removes a workload as a whole and keeps its port', () => {
    store.reserve(config('one'), undefined, NOW);
    store.rememberPort('one', 12_345);
    store.remove('one');
    store.remove('one');
    store.writeStatus('one', { status: 'running' }, NOW);
    expect(store.list()).toEqual([]);
    expect(readdirSync(join(folder, 'workloads'))).toEqual([]);
    expect(store.findRememberedPort('one')).toBe(12_345);
    expect([...store.listPortsOfOthers('two')]).toEqual([[12_345, 'one']]);
  });

  it('stores a proposed port for a name without one, unless another name has it', () => {
    store.rememberPort('one', 12_345);
    const propose = (name: string, port: number) => {
      store.proposePort(name, port);
      return store.findRememberedPort(name);
    };
    expect([propose('one', 8080), propose('two', 12_345), propose('three', 80)]).toEqual([
      12_345,
      undefined,
      undefined,
    ]);
    expect([propose('two', 8080), propose('two', 9090)]).toEqual([8080, 8080]);
  });

  it.each(['../x', 'a/b', '.new-1', '', '..'])('never looks for a workload at %j', (name) => {
    expect(store.read(name)).toBeUndefined();
    expect(() => store.getFolder(name)).toThrow(/not a workload name/);
  });

  it('removes the folders of killed commands, but not those of running ones', () => {
    const old = join(folder, 'workloads', '.new-old');
    const fresh = join(folder, 'workloads', '.new-fresh');
    mkdirSync(old, { recursive: true });
    mkdirSync(fresh);
    utimesSync(old, 1, 1);
    utimesSync(fresh, NOW, NOW);
    store.reserve(config('one'), undefined, NOW);
    expect(readdirSync(join(folder, 'workloads')).sort()).toEqual(['.new-fresh', 'one']);
  });
});

describe('describeState', () => {
  const me = identifyProcess(process.pid)!;
  const write = (status: 'starting' | 'running' | 'stopping' | 'stopped' | 'error', process?: typeof me) => {
    if (!store.has('one')) store.reserve(config('one'), undefined, NOW);
    store.writeStatus('one', { status, ...(process && { process }) }, NOW);
  };

  it.each([
    ['running', true, true, 'running'],
    ['running', true, false, 'unhealthy'],
    ['running', true, undefined, 'unhealthy'],
    ['running', false, true, 'unhealthy'],
    ['running', false, false, 'unhealthy'],
    ['starting', true, false, 'starting'],
    ['starting', false, false, 'unhealthy'],
    ['stopping', true, true, 'stopping'],
    ['stopping', false, true, 'stopped'],
    ['stopped', false, false, 'stopped'],
    ['stopped', false, true, 'unhealthy'],
    ['error', false, false, 'error'],
  ] as const)(
    'derives from status %s, live proxy %s and running container %s the status %s',
    (written, alive, running, said) => {
      write(written, alive ? me : gone);
      expect(state('one', running)).toBe(said);
    },
  );

  it('returns an error when the starting command ended before its port was known', () => {
    store.reserve({ ...config('one'), port: 0 }, gone, NOW);
    expect(state('one', false)).toBe('error');
  });

  it.each(['', '{', 'null', '[]', '{"name":"one"}', '\0\0\0'])('returns an error for the configuration %j', (text) => {
    write('running', me);
    writeFileSync(join(folder, 'workloads', 'one', 'run.json'), text);
    expect(store.list()).toHaveLength(1);
    expect(describeState(store.list()[0]!, []).status).toBe('error');
  });

  it.each([
    { schema_version: 'v9' },
    { cmd_args: 'x' },
    { env_vars: null },
    { port: -1 },
    { permission_profile: 'none' },
    { name: 'two' },
    { transport: 'grpc' },
    { engine: '' },
    { image: undefined },
  ])('returns an error for a configuration with %j', (change) => {
    write('running', me);
    writeFileSync(join(folder, 'workloads', 'one', 'run.json'), JSON.stringify({ ...config('one'), ...change }));
    expect(describeState(store.list()[0]!, [])).toMatchObject({
      status: 'error',
      status_context: expect.stringContaining('run.json cannot be read: '),
    });
  });

  it.each(['null', '[]', '{}', '"running"', '{"status":"flying","created_at":""}', '{"status":"running","process":1}'])(
    'returns an error for the status %s',
    (text) => {
      write('running', me);
      writeFileSync(join(folder, 'workloads', 'one', 'status.json'), text);
      expect(state('one', true)).toBe('error');
    },
  );

  it('returns an error for a missing status', () => {
    write('running', me);
    rmSync(join(folder, 'workloads', 'one', 'status.json'));
    expect(state('one', true)).toBe('error');
  });

  it('detects another process with the pid of the ended one', () => {
    write('running', gone);
    expect(describeState(store.read('one')!, [])).toMatchObject({ status: 'unhealthy', lost_proxy: true });
    expect(readFileSync(join(folder, 'workloads', 'one', 'status.json'), 'utf8')).toContain(String(process.pid));
  });
});

describe('shouldRun', () => {
  const me = identifyProcess(process.pid)!;

  it.each([
    [{ status: 'stopped', stop_requested: true }, false],
    [{ status: 'stopped' }, false],
    [{ status: 'stopped', shut_down: true, process: gone }, true],
    [{ status: 'stopping', stop_requested: true, process: gone }, false],
    [{ status: 'stopping', process: gone }, true],
    [{ status: 'running', process: gone }, true],
    [{ status: 'running', process: me }, true],
    [{ status: 'error' }, true],
  ] as const)('for %j returns %s', (status, should) => {
    store.reserve(config('one'), undefined, NOW);
    store.writeStatus('one', status, NOW);
    expect(shouldRun(store.read('one')!)).toBe(should);
  });

  it('returns false during a removal', () => {
    store.reserve(config('one'), undefined, NOW);
    store.markRemoval('one', gone);
    expect(shouldRun(store.read('one')!)).toBe(false);
    store.clearRemoval('one');
    expect(shouldRun(store.read('one')!)).toBe(true);
  });

  it('returns false after a requested stop without a supervisor, and keeps the other fields', () => {
    store.reserve(config('one'), undefined, NOW);
    store.writeStatus('one', { status: 'running', process: gone, restarts: 2 }, NOW);
    store.requestStop('one', NOW);
    expect(store.read('one')?.status).toMatchObject({ status: 'stopping', restarts: 2, stop_requested: true });
    expect(shouldRun(store.read('one')!)).toBe(false);
  });
});
