import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accepted, askConfig, type ConfigAnswer, keySetOf, on, putConfig, TestClock } from './config-scene.ts';
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

  const ask = (etag?: string) => askConfig(manager, token, etag === undefined ? {} : { 'if-none-match': etag });
  const endOf = async ({ text }: ConfigAnswer) =>
    Date.parse((await accepted(manager, text, { now: clock.now() })).not_after);

  it('gets a new envelope at exactly half of the lifetime', async () => {
    const first = await ask();
    const begun = clock.time;
    expect(await endOf(first)).toBe(begun + 24 * HOUR);
    clock.time = begun + 12 * HOUR - 1;
    expect((await ask(first.etag)).status).toBe(304);
    clock.time = begun + 12 * HOUR;
    const second = await ask(first.etag);
    expect([second.status, second.etag]).toEqual([200, first.etag]);
    expect(await endOf(second)).toBe(begun + 36 * HOUR);
    expect((await ask(second.etag)).status).toBe(304);
  });

  it('is forgotten after the lifetime of its envelope', async () => {
    await manager.sql('DELETE FROM config_issues');
    const as = async (subject: string) => {
      const sign = await manager.issuer.token({ subject, expiresIn: 400 * 86_400 });
      return askConfig(manager, sign);
    };
    const holders = async () =>
      (await manager.sql<{ subject: string }>('SELECT subject FROM config_issues ORDER BY subject')).map(
        ({ subject }) => subject,
      );
    for (const subject of ['gone-1', 'gone-2']) await as(subject);
    clock.time += 24 * HOUR - 1;
    await as('new-1');
    expect(await holders()).toEqual(['gone-1', 'gone-2', 'new-1']);
    clock.time += 1;
    await as('new-2');
    expect(await holders()).toEqual(['new-1', 'new-2']);
  });

  it('never keeps an expired envelope over many lifetimes', async () => {
    let held = await ask();
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
        const answer = await ask(held.etag);
        expect([200, 304]).toContain(answer.status);
        if (answer.status === 200) {
          const { issued_at } = await accepted(manager, answer.text, { now: clock.now(), lastAccepted: last });
          [held, last] = [answer, issued_at];
          renewals += 1;
        }
        expect((await endOf(held)) - clock.time).toBeGreaterThanOrEqual(12 * HOUR - 1);
      }
    }
    expect(renewals).toBeGreaterThanOrEqual(4 * 6);
  });

  it('gets a newer envelope of another client of the same user', async () => {
    const held = await ask();
    clock.time += 30 * HOUR;
    const other = await ask();
    const since = (answer: ConfigAnswer) => ({ 'if-modified-since': answer.headers.get('last-modified') ?? '' });
    for (const claim of ['*', held.etag, `W/${held.etag}`]) {
      const answer = await askConfig(manager, token, { 'if-none-match': claim, ...since(held) });
      expect([claim, answer.status, answer.text]).toEqual([claim, 200, other.text]);
      const again = await askConfig(manager, token, { 'if-none-match': claim, ...since(other) });
      expect([claim, again.status]).toEqual([claim, 304]);
    }
  });

  it('finds the key of a current envelope in the key set after a long time', async () => {
    const { kid } = await accepted(manager, (await ask()).text, { now: clock.now() });
    expect((await keySetOf(manager)).keys.map((key) => key.kid)).toContain(kid);
  });

  it('gets an envelope with the present time after the clock was set back', async () => {
    await ask();
    clock.time -= 48 * HOUR;
    expect(await endOf(await ask())).toBe(clock.time + 24 * HOUR);
  });
});
