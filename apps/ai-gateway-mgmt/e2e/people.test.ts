import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '@gatehouse/service-kit/clock';
import { createService, type Service } from '@gatehouse/service-kit/start';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { type PeopleManager, startPeopleManager } from '@gatehouse/testing/people-manager';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSettings } from '../src/config.ts';
import { serviceOptions } from '../src/service-options.ts';

/** A clock that a test moves. */
class MovedClock extends Clock {
  aheadMs = 0;
  override now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }
}

describe('a person whom the enterprise manager has deactivated', () => {
  const clock = new MovedClock();
  let issuer: TestIssuer;
  let manager: PeopleManager;
  let service: Service;
  const environment = () => ({
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
    AUDIENCE: issuer.audience,
    ISSUERS: JSON.stringify([
      {
        id: 'test',
        issuer: issuer.issuer,
        roles: { claim: 'roles', values: { admin: ['admin'], gateway: ['gateway'] } },
      },
    ]),
    NAMESPACE: 'team-a',
    GATEWAY_NAME: 'gateway-a',
  });
  beforeAll(async () => {
    issuer = await startIssuer();
    manager = await startPeopleManager(issuer);
    manager.setActive('leaver', false);
    const settings = loadSettings({ ...environment(), ...manager.environment });
    service = await createService({ ...serviceOptions(settings), clock });
    await service.listen();
    await until(async () => (await ask('/readyz'))[0] === 200);
  });
  afterAll(async () => {
    await service.close();
    await manager.close();
    await issuer.close();
  });

  const ask = async (path: string, subject?: string): Promise<[number, unknown]> => {
    const token = subject === undefined ? '' : await issuer.token({ subject, roles: ['admin'] });
    const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return [answer.status, await answer.json()];
  };
  /** Polls for 1 s, which is what is promised. */
  const until = async (is: () => Promise<boolean>) => {
    for (let tries = 0; tries < 40; tries += 1) {
      if (await is()) return;
      await sleep(25);
    }
    throw new Error('it did not happen within 1 s');
  };

  it('is refused, also an administrator, and other people are not', async () => {
    expect(await ask('/v1/info', 'leaver')).toEqual([403, expect.objectContaining({ error: 'forbidden' })]);
    expect((await ask('/v1/info', 'alice'))[0]).toBe(200);
  });

  it('is out within 1 s, and back within 1 s', async () => {
    manager.setActive('alice', false);
    await until(async () => (await ask('/v1/info', 'alice'))[0] === 403);
    manager.setActive('alice', true);
    await until(async () => (await ask('/v1/info', 'alice'))[0] === 200);
  });

  it('is not known 60 s after the last answer: every person is refused then', async () => {
    clock.aheadMs = 61_000;
    expect((await ask('/v1/info', 'alice'))[0]).toBe(503);
    expect((await ask('/readyz'))[0]).toBe(503);
    manager.setActive('bob', true);
    await until(async () => (await ask('/v1/info', 'alice'))[0] === 200);
  });

  it('is asked for only where the settings say how', () => {
    expect(loadSettings(environment()).ENTERPRISE_MANAGER_URL).toBeUndefined();
    expect(() => loadSettings({ ...environment(), ENTERPRISE_MANAGER_URL: 'http://127.0.0.1:1' })).toThrow(
      /TOKEN_URL: is required[^]*CLIENT_ID: is required[^]*CLIENT_SECRET: is required/,
    );
  });
});
