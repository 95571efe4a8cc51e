import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt } from 'jose';
import {
  MAIN,
  untilGone,
  listPlatformProcesses,
  type RunningPlatform,
  startPlatform,
  fetchStatus,
  tryPlatform,
  until,
} from './platform.ts';

jest.setTimeout(120_000);

/** Whether tokens, the directory in Postgres, the gateways and the console work. */
async function isWorking(platform: RunningPlatform): Promise<boolean> {
  try {
    const token = await platform.token('alice');
    const { enterprise_manager, ai_gateway, ai_gateway_mgmt, console, connector_gateway_control } = platform.json.urls;
    const statuses = await Promise.all([
      fetchStatus(`${enterprise_manager}/v1/me`, token),
      fetchStatus(`${ai_gateway}/v1/models`, token),
      fetchStatus(`${ai_gateway_mgmt}/v1/info`, token),
      fetchStatus(`${console}/api/services`),
      fetchStatus(`${connector_gateway_control}/readyz`),
    ]);
    return statuses.every((status) => status === 200);
  } catch {
    return false;
  }
}

/** A module that kills its process with SIGKILL right after the start of Postgres. */
const KILLED_AFTER_POSTGRES = `data:text/javascript,${encodeURIComponent(`
  import processes from 'node:child_process';
  import { syncBuiltinESMExports } from 'node:module';
  const { spawn } = processes;
  processes.spawn = (command, args, options) => {
    const child = spawn(command, args, options);
    if (args.includes('-D')) setImmediate(() => process.kill(process.pid, 'SIGKILL'));
    return child;
  };
  syncBuiltinESMExports();
`)}`;

let platform: RunningPlatform;
let subject: string | undefined;
beforeAll(async () => {
  platform = await startPlatform();
  subject = decodeJwt(await platform.token('alice')).sub;
});
afterAll(() => platform.remove());

describe('kill -9 of one process', () => {
  it.each([
    'postgres',
    'identity-provider',
    'enterprise-manager',
    'connector-gateway',
    'ai-gateway-mgmt',
    'ai-gateway',
    'console',
  ])('restarts %s, and the platform works as before', async (name) => {
    const before = platform.pids();
    process.kill(before[name]!, 'SIGKILL');
    await until(`${name} runs again`, () => {
      const now = platform.pids()[name];
      return Promise.resolve(now !== undefined && now !== before[name]);
    });
    await until('the platform works', () => isWorking(platform));
    expect(platform.pids()['supervisor']).toBe(before['supervisor']);
    expect(decodeJwt(await platform.token('alice')).sub).toBe(subject);
  });

  it('restarts all services that are killed at the same time', async () => {
    const { supervisor: _alive, ...services } = platform.pids();
    for (const pid of Object.values(services)) process.kill(pid, 'SIGKILL');
    await until('the platform works', () => isWorking(platform));
    const now = platform.pids();
    expect(Object.keys(now)).toHaveLength(Object.keys(services).length + 1);
    for (const [name, pid] of Object.entries(services)) expect(now[name]).not.toBe(pid);
  });
});

describe('kill -9 of the supervisor', () => {
  const start = (): Promise<RunningPlatform> => startPlatform({ home: platform.home, offset: platform.offset });
  const startAgain = async (): Promise<void> => {
    platform = await start();
    expect(await isWorking(platform)).toBe(true);
  };
  // After a failed test.
  beforeEach(async () => {
    if (platform.hasEnded) platform = await start();
  });

  it('ends all services and Postgres, and the next start works', async () => {
    const { pid } = platform.json;
    process.kill(pid, 'SIGKILL');
    await untilGone(platform.home);
    await startAgain();
    expect(platform.json.pid).not.toBe(pid);
    expect(decodeJwt(await platform.token('alice')).sub).toBe(subject);
  });

  it('does not prevent a start in the same second', async () => {
    process.kill(platform.json.pid, 'SIGKILL');
    await startAgain();
    const supervised = listPlatformProcesses(platform.home).filter(({ command }) => command.includes('--import'));
    expect(supervised).toHaveLength(6);
  });

  it('and of every service stops Postgres', async () => {
    const { postgres: server, ...others } = platform.pids();
    expect(server).toBeGreaterThan(0);
    for (const pid of Object.values(others)) process.kill(pid, 'SIGKILL');
    await untilGone(platform.home);
    await startAgain();
  });

  it('during a start leaves no process', async () => {
    const { home, offset } = platform;
    await platform.stop();
    const command: [string, ...string[]] = [process.execPath, '--import', KILLED_AFTER_POSTGRES, MAIN, '--json'];
    const failed = await tryPlatform({ home, offset, command });
    expect(failed).toMatchObject({ code: null, stdout: '' });
    await untilGone(home);
    await startAgain();
  });
});
