import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { accepted, askConfig, fetchKeySet, on, putConfig, TestClock } from './config-scene.ts';
import { type DatabaseWire, startWire } from './database-wire.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const degraded_mode = { policy: 'block_new', grace_period: '8h', message: 'The directory is away.' };

describe('the configuration envelope during a database outage', () => {
  let manager: TestManager;
  let wire: DatabaseWire;
  let token: string;
  let clock: TestClock;
  beforeEach(async () => {
    clock = new TestClock();
    manager = await startManager({
      clock,
      between: async (url) => {
        wire = await startWire(url);
        return wire.url;
      },
    });
    token = await manager.issuer.token({ subject: 'alice', expiresIn: 40 * 86_400 });
    await putConfig(manager, { playground: on(true), degraded_mode });
  }, 60_000);
  afterEach(async () => {
    await manager.close();
    wire.cut();
  });

  const requestEnvelope = (headers: Record<string, string> = {}) => askConfig(manager, token, headers);
  const verifyEnvelope = (text: string, lastAccepted?: string) =>
    accepted(manager, text, { now: clock.now(), ...(lastAccepted !== undefined && { lastAccepted }) });

  it('contains the last known configuration with degraded_mode in force and a quarter of the lifetime', async () => {
    const before = await requestEnvelope();
    const healthy = await verifyEnvelope(before.text);
    expect(healthy.degraded_mode).toEqual({ ...degraded_mode, in_force: false });
    wire.cut();
    const during = await requestEnvelope({ 'if-none-match': before.etag });
    expect(during.status).toBe(200);
    const degraded = await verifyEnvelope(during.text, healthy.issued_at);
    expect(degraded).toEqual({
      ...healthy,
      degraded_mode: { ...degraded_mode, in_force: true },
      etag: expect.not.stringContaining(healthy.etag),
      not_after: new Date(clock.time + 6 * HOUR).toISOString(),
      refresh_interval_ms: MINUTE,
    });
    expect((await fetchKeySet(manager)).keys).toHaveLength(2);
  }, 60_000);

  it('is sent in full (never 304) and is signed once for many requests', async () => {
    await requestEnvelope();
    wire.cut();
    const first = await requestEnvelope();
    for (let round = 0; round < 5; round += 1) {
      const again = await requestEnvelope({ 'if-none-match': first.etag });
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
  }, 60_000);

  it('is served for the grace period after the last read of the configuration', async () => {
    const read = clock.time;
    const { issued_at } = await verifyEnvelope((await requestEnvelope()).text);
    clock.time = read + HOUR;
    await requestEnvelope();
    wire.cut();
    for (const after of [0, 3 * HOUR, 7 * HOUR, 8 * HOUR - 1]) {
      clock.time = read + HOUR + after;
      const { not_after } = await verifyEnvelope((await requestEnvelope()).text, issued_at);
      expect(Date.parse(not_after)).toBeGreaterThan(clock.time);
      expect(Date.parse(not_after)).toBeLessThanOrEqual(read + 9 * HOUR);
    }
    clock.time = read + 9 * HOUR;
    const over = await requestEnvelope();
    expect([over.status, over.headers.get('retry-after'), over.text]).toEqual([
      503,
      '1',
      expect.stringContaining('grace period of 8h'),
    ]);
  }, 60_000);

  it('is unavailable for users and client types whose configuration the replica has not read', async () => {
    await requestEnvelope();
    wire.cut();
    const desktop = await requestEnvelope({ 'x-client-type': 'gatehouse-desktop' });
    const stranger = await askConfig(manager, manager.tokens.bob);
    for (const { status, headers } of [desktop, stranger])
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  }, 60_000);

  it('has the policy warn and a grace period of 24 hours by default', async () => {
    await putConfig(manager, {});
    await requestEnvelope();
    wire.cut();
    const { degraded_mode: usual } = await verifyEnvelope((await requestEnvelope()).text);
    expect(usual).toEqual({
      ...{ policy: 'warn', grace_period: '24h', message: expect.stringContaining('database') },
      in_force: true,
    });
  }, 60_000);

  it('is not served with a grace period of 0s', async () => {
    await putConfig(manager, { degraded_mode: { ...degraded_mode, grace_period: '0s' } });
    await requestEnvelope();
    wire.cut();
    expect((await requestEnvelope()).status).toBe(503);
  }, 60_000);

  it('is replaced by the current configuration once the database is back, and clients accept it', async () => {
    await requestEnvelope();
    wire.cut();
    const during = await verifyEnvelope((await requestEnvelope()).text);
    await wire.restore();
    const end = Date.now() + 15_000;
    let response = await requestEnvelope();
    while (!isHealthy(response.text)) {
      if (Date.now() > end) throw new Error('the database is back, but the configuration is still degraded');
      await sleep(50);
      response = await requestEnvelope();
    }
    expect((await verifyEnvelope(response.text, during.issued_at)).degraded_mode).toEqual({
      ...degraded_mode,
      in_force: false,
    });
    await putConfig(manager, { playground: on(false) });
    expect((await verifyEnvelope((await requestEnvelope()).text, during.issued_at)).config).toEqual({
      playground: on(false),
    });
  }, 60_000);
});

/** Reads the top-level `degraded_mode`, not the directive of the same name in `config`. */
const isHealthy = (text: string): boolean =>
  (JSON.parse(text) as { degraded_mode?: { in_force: boolean } }).degraded_mode?.in_force !== true;
