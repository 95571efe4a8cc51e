import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startIssuer, type TestIssuer } from './issuer.ts';
import { type PeopleManager, startPeopleManager } from './people-manager.ts';
import { serviceEnvironment } from './service-environment.ts';

/** A service that reads the active users from the enterprise manager. */
export interface InactivePeopleSubject {
  /** Starts the service with these environment variables and this clock. */
  start: (
    environment: Record<string, string>,
    now: () => Date,
  ) => Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Reads the settings from an environment. @throws {Error} if they are invalid */
  loadSettings: (environment: Record<string, string>) => { ENTERPRISE_MANAGER_URL?: string | undefined };
  /** A path that every user may read. */
  path: string;
  /** The body of the 403 for a user without an active entry. */
  refusal: unknown;
}

/** The promised time between a change of the directory and its effect. */
const PROMISED_MS = 1_000;
const POLL_MS = 25;

/** Defines the tests of a service that follows the directory of the enterprise manager. */
export function describeInactivePeople({ start, loadSettings, path, refusal }: InactivePeopleSubject): void {
  describe('a deactivated user', () => {
    let aheadMs = 0;
    let issuer: TestIssuer;
    let manager: PeopleManager;
    let service: { readonly url: string; close(): Promise<void> };
    beforeAll(async () => {
      issuer = await startIssuer();
      manager = await startPeopleManager(issuer);
      manager.setActive('leaver', false);
      const environment = { ...serviceEnvironment(issuer), ...manager.environment };
      service = await start(environment, () => new Date(Date.now() + aheadMs));
      await until(async () => (await ask('/readyz'))[0] === 200);
    });
    afterAll(async () => {
      await service.close();
      await manager.close();
      await issuer.close();
    });

    const ask = (at: string, subject?: string, email?: string) => sendRead(service.url + at, issuer, subject, email);
    const statusFor = async (subject: string) => (await ask(path, subject))[0];

    it('is refused, also with the role admin, while other users are accepted', async () => {
      expect(await ask(path, 'leaver')).toEqual([403, refusal]);
      expect(await statusFor('alice')).toBe(200);
    });

    it('is refused within 1 s of the deactivation and accepted within 1 s of the activation', async () => {
      manager.setActive('alice', false);
      await until(async () => (await statusFor('alice')) === 403);
      manager.setActive('alice', true);
      await until(async () => (await statusFor('alice')) === 200);
    });

    it('is refused before the first sign-in by the claim that binds the entry', async () => {
      const address = 'new.leaver@corp.example';
      const status = async (email: string) => (await ask(path, 'never seen', email))[0];
      expect(await status(address)).toBe(200);
      manager.setBindingActive(address, false);
      await until(async () => (await status('New.Leaver@corp.example')) === 403);
      expect(await ask(path, 'never seen', address)).toEqual([403, refusal]);
      expect(await status('other@corp.example')).toBe(200);
      manager.setBindingActive(address, true);
      await until(async () => (await status(address)) === 200);
    });

    it('is refused like every other user 60 s after the last answer of the enterprise manager', async () => {
      aheadMs = 61_000;
      expect(await statusFor('alice')).toBe(503);
      expect((await ask('/readyz'))[0]).toBe(503);
      manager.setActive('bob', true);
      await until(async () => (await statusFor('alice')) === 200);
    });

    it('is looked up only if the settings contain the enterprise manager and the client', () => {
      const environment = serviceEnvironment(issuer);
      expect(loadSettings(environment).ENTERPRISE_MANAGER_URL).toBeUndefined();
      expect(() => loadSettings({ ...environment, ENTERPRISE_MANAGER_URL: 'http://127.0.0.1:1' })).toThrow(
        /TOKEN_URL: is required[^]*CLIENT_ID: is required[^]*CLIENT_SECRET: is required/,
      );
    });
  });
}

/** Sends a read with a token of a user with the role `admin`, or without a token. */
async function sendRead(url: string, issuer: TestIssuer, subject?: string, email?: string): Promise<[number, unknown]> {
  const claims = { roles: ['admin'], ...(email !== undefined && { email }) };
  const token = subject === undefined ? '' : await issuer.token({ subject, ...claims });
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return [response.status, await response.json()];
}

/** Polls until a condition holds. @throws {Error} if it does not hold within the promised time */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited <= PROMISED_MS; waited += POLL_MS) {
    if (await isTrue()) return;
    await sleep(POLL_MS);
  }
  throw new Error(`the condition did not hold within ${PROMISED_MS} ms`);
}
