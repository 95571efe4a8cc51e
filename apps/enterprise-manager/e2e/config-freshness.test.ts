import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accepted, askConfig, type ConfigResponse, fetchKeySet, on, putConfig, TestClock } from './config-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const HOUR = 3_600_000;

describe('a client that sends the ETag of its envelope', () => {
  let manager: TestManager;
  let token: string;
  const clock = new TestClock();
  beforeAll(async () => {
    manager = await startManager({ clock });
    token = await manager.issuer.token({ subject: 'alice', expiresIn: 400 * 86_400 });
    await putConfig(manager, { playground: on(true) });
  }, 60_000);
  afterAll(() => manager.close());

  const requestEnvelope = (etag?: string) =>
    askConfig(manager, token, etag === undefined ? {} : { 'if-none-match': etag });
  const readEnd = async ({ text }: ConfigResponse) =>
    Date.parse((await accepted(manager, text, { now: clock.now() })).not_after);

  it('receives a new envelope at exactly half of the lifetime', async () => {
    const first = await requestEnvelope();
    const begun = clock.time;
    expect(await readEnd(first)).toBe(begun + 24 * HOUR);
    clock.time = begun + 12 * HOUR - 1;
    expect((await requestEnvelope(first.etag)).status).toBe(304);
    clock.time = begun + 12 * HOUR;
    const second = await requestEnvelope(first.etag);
    expect([second.status, second.etag]).toEqual([200, first.etag]);
    expect(await readEnd(second)).toBe(begun + 36 * HOUR);
    expect((await requestEnvelope(second.etag)).status).toBe(304);
  });

  it('is forgotten after the lifetime of its envelope', async () => {
    await manager.sql('DELETE FROM config_issues');
    const requestAs = async (subject: string) => {
      const sign = await manager.issuer.token({ subject, expiresIn: 400 * 86_400 });
      return askConfig(manager, sign);
    };
    const listRecipients = async () =>
      (await manager.sql<{ subject: string }>('SELECT subject FROM config_issues ORDER BY subject')).map(
        ({ subject }) => subject,
      );
    for (const subject of ['gone-1', 'gone-2']) await requestAs(subject);
    clock.time += 24 * HOUR - 1;
    await requestAs('new-1');
    expect(await listRecipients()).toEqual(['gone-1', 'gone-2', 'new-1']);
    clock.time += 1;
    await requestAs('new-2');
    expect(await listRecipients()).toEqual(['new-1', 'new-2']);
  });

  it('never keeps an expired envelope over many lifetimes', async () => {
    let held = await requestEnvelope();
    let last = (await accepted(manager, held.text, { now: clock.now() })).issued_at;
    const steps = [
      1,
      5 * 60_000,
      HOUR,
      12 * HOUR - 1,
      1,
      11 * HOUR,
      12 * HOUR,
      24 * HOUR - 1,
      24 * HOUR,
      25 * HOUR,
      240 * HOUR,
    ];
    let renewals = 0;
    for (let round = 0; round < 4; round += 1) {
      for (const step of steps) {
        clock.time += step;
        const response = await requestEnvelope(held.etag);
        expect([200, 304]).toContain(response.status);
        if (response.status === 200) {
          const { issued_at } = await accepted(manager, response.text, { now: clock.now(), lastAccepted: last });
          [held, last] = [response, issued_at];
          renewals += 1;
        }
        expect((await readEnd(held)) - clock.time).toBeGreaterThanOrEqual(12 * HOUR - 1);
      }
    }
    expect(renewals).toBeGreaterThanOrEqual(4 * 6);
  });

  it('receives a newer envelope that another client of the same user caused', async () => {
    const held = await requestEnvelope();
    clock.time += 30 * HOUR;
    const other = await requestEnvelope();
    const createModifiedSince = (response: ConfigResponse) => ({
      'if-modified-since': response.headers.get('last-modified') ?? '',
    });
    for (const claim of ['*', held.etag, `W/${held.etag}`]) {
      const response = await askConfig(manager, token, { 'if-none-match': claim, ...createModifiedSince(held) });
      expect([claim, response.status, response.text]).toEqual([claim, 200, other.text]);
      const again = await askConfig(manager, token, { 'if-none-match': claim, ...createModifiedSince(other) });
      expect([claim, again.status]).toEqual([claim, 304]);
    }
  });

  it('finds the key of a current envelope in the key set after a long time', async () => {
    const { kid } = await accepted(manager, (await requestEnvelope()).text, { now: clock.now() });
    expect((await fetchKeySet(manager)).keys.map((key) => key.kid)).toContain(kid);
  });

  it('receives an envelope with the current time after the clock was set back', async () => {
    await requestEnvelope();
    clock.time -= 48 * HOUR;
    expect(await readEnd(await requestEnvelope())).toBe(clock.time + 24 * HOUR);
  });
});
