import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt } from 'jose';
import {
  everyProcessOf,
  untilGone,
  processesOf,
  type RunningPlatform,
  startPlatform,
  statusOf,
  until,
} from './platform.ts';

jest.setTimeout(120_000);

/** Whether tokens, the directory in Postgres, the gateways and the console work. */
async function isWorking(platform: RunningPlatform): Promise<boolean> {
  try {
    const token = await platform.token('alice');
    const { enterprise_manager, ai_gateway, ai_gateway_mgmt, console, connector_gateway_control } = platform.json.urls;
    const answers = await Promise.all([
      statusOf(`${enterprise_manager}/v1/me`, token),
      statusOf(`${ai_gateway}/v1/models`, token),
      statusOf(`${ai_gateway_mgmt}/v1/info`, token),
      statusOf(`${console}/api/services`),
      statusOf(`${connector_gateway_control}/readyz`),
    ]);
    return answers.every((status) => status === 200);
  } catch {
    return false;
  }
}

describe('kill -9 of one process', () => {
  let platform: RunningPlatform;
  let subject: string | undefined;
  beforeAll(async () => {
    platform = await startPlatform();
    subject = decodeJwt(await platform.token('alice')).sub;
  });
  afterAll(() => platform.remove());

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
  it('ends all services and Postgres, and the next start works', async () => {
    const platform = await startPlatform();
    const subject = decodeJwt(await platform.token('bob')).sub;
    process.kill(platform.json.pid, 'SIGKILL');
    await untilGone(platform.home);
    const again = await startPlatform({ home: platform.home, offset: platform.offset });
    expect(again.json.pid).not.toBe(platform.json.pid);
    expect(decodeJwt(await again.token('bob')).sub).toBe(subject);
    expect(await isWorking(again)).toBe(true);
    await again.remove();
  });

  it('does not prevent a start in the same second', async () => {
    const platform = await startPlatform();
    process.kill(platform.json.pid, 'SIGKILL');
    const again = await startPlatform({ home: platform.home, offset: platform.offset });
    expect(await isWorking(again)).toBe(true);
    const supervised = processesOf(again.home).filter(({ command }) => command.includes('--import')).length;
    await again.remove();
    expect(supervised).toBe(6);
  });

  it('and of every service stops Postgres', async () => {
    const platform = await startPlatform();
    const { postgres: server, ...others } = platform.pids();
    expect(server).toBeGreaterThan(0);
    for (const pid of Object.values(others)) process.kill(pid, 'SIGKILL');
    await untilGone(platform.home);
    const again = await startPlatform({ home: platform.home, offset: platform.offset });
    expect(await isWorking(again)).toBe(true);
    await again.remove();
  });

  it('during a start leaves no process', async () => {
    const first = await startPlatform();
    await first.stop();
    const starting = startPlatform({ home: first.home, offset: first.offset }).catch((error: unknown) => error);
    await until('services start', () => Promise.resolve(processesOf(first.home).length >= 5));
    const supervisor = everyProcessOf(first.home).find(({ command }) => command.endsWith('dist/main.js --json'))!;
    process.kill(supervisor.pid, 'SIGKILL');
    expect(await starting).toBeInstanceOf(Error);
    await untilGone(first.home);
    const again = await startPlatform({ home: first.home, offset: first.offset });
    expect(await isWorking(again)).toBe(true);
    await again.remove();
  });
});
