import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readUsd } from '@gatehouse/money/usd';
import { waitForValue } from '@gatehouse/testing/eventually';
import type { ResourceBackend } from '@gatehouse/testing/resource-backend';
import type { FormatName } from './format-requests.ts';
import { FORMAT_MODELS, FORMAT_NAMES, MeteredCaller } from './metered-caller.ts';
import { MeteredWorld } from './metered-world.ts';
import { createPolicy } from './service.ts';
import { nameRequest } from './sdk-target.ts';

/** The promised second and the promised two seconds, with a margin for a slow machine. */
const REFUSED_WITHIN_MS = 3_000;
const POLICY_WITHIN_MS = 5_000;
/** A busy machine needs seconds until all streams of a test have begun. */
const KEY_SECONDS = 10;

interface MadeKey {
  readonly key: { readonly id: string; readonly expires_at?: string };
  readonly secret: string;
}

/** Defines the tests of the times within which a change holds for model calls, on two gateways. */
export function describeDeadlines(startBackend: () => ResourceBackend | Promise<ResourceBackend>): void {
  let world: MeteredWorld;
  beforeAll(async () => {
    world = await MeteredWorld.open({ gateways: 2, startBackend });
  }, 120_000);
  afterAll(() => world.close());

  const makeKey = (caller: MeteredCaller, body: object = {}) =>
    world.manager.call<MadeKey>(caller.subject, 'POST', '/v1/keys', body);
  const send = async (caller: MeteredCaller, format: FormatName, credential: string, gateway = 0, text = 'Hello') => {
    const headers = { authorization: `Bearer ${credential}` };
    const response = await caller.send(format, { text, maxTokens: 64 }, { gateway, headers });
    await response.text();
    return response.status;
  };
  /** The statuses of all formats on both gateways. */
  const readStatuses = (caller: MeteredCaller, credential: string, text?: string) =>
    Promise.all(
      [0, 1].flatMap((gateway) => FORMAT_NAMES.map((format) => send(caller, format, credential, gateway, text))),
    );
  const untilAll = (status: number, caller: MeteredCaller, credential: string, withinMs = REFUSED_WITHIN_MS) =>
    waitForValue(
      () => readStatuses(caller, credential),
      (statuses) => statuses.every((one) => one === status),
      withinMs,
    );
  /** Begins a stream in each format on each gateway. @param directives of the simulated vendors */
  const stream = (caller: MeteredCaller, credential: string, directives: string) => {
    let [begun, ended] = [0, 0];
    const read = async (gateway: number, format: FormatName) => {
      const headers = { authorization: `Bearer ${credential}` };
      const facts = { text: `[[sim: ${directives} delay_ms=30]]`, isStream: true, maxTokens: 1_000 };
      const { body } = await caller.send(format, facts, { gateway, headers });
      const decoder = new TextDecoder();
      let text = '';
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        if (text === '') begun += 1;
        text += decoder.decode(chunk, { stream: true });
      }
      ended += 1;
      return text;
    };
    const texts = Promise.all([0, 1].flatMap((gateway) => FORMAT_NAMES.map((format) => read(gateway, format))));
    return { texts, hasBegun: () => begun === 8, isEnded: () => ended === 8, hasEnded: () => ended > 0 };
  };
  /** Expects that no vendor sees a call of the credential. */
  const expectNoCall = async (caller: MeteredCaller, credential: string) => {
    const name = nameRequest();
    for (let round = 0; round < 3; round += 1) await readStatuses(caller, credential, `[[sim: name=${name}]]`);
    expect(await caller.readRequests(name)).toEqual([]);
  };
  const findUserId = async (name: string) => {
    const { items } = await world.manager.call<{ items: { id: string; user_name: string }[] }>(
      'admin',
      'GET',
      '/v1/users?limit=200',
    );
    return items.find(({ user_name }) => user_name === name)?.id ?? '';
  };
  const applyPolicy = (name: string, caller: MeteredCaller | undefined, models: readonly string[]) => {
    const { spec } = createPolicy('');
    const claims = { iss: world.manager.issuer.issuer, ...(caller && { sub: caller.subject }) };
    return world.backend.apply('AIPolicy', {
      metadata: { name },
      spec: { ...(spec as object), principalMatchers: [{ claims }], budgets: [{ name: 'all', models: [...models] }] },
    });
  };

  describe('a model call within a second', () => {
    it('is refused after its key was revoked, while another key is served', async () => {
      const caller = await MeteredCaller.create(world, '5');
      const [revoked, other] = [await makeKey(caller), await makeKey(caller)];
      await untilAll(200, caller, revoked.secret);
      await world.manager.call(caller.subject, 'DELETE', `/v1/keys/${revoked.key.id}`);
      await untilAll(401, caller, revoked.secret);
      await expectNoCall(caller, revoked.secret);
      await untilAll(200, caller, other.secret);
    });

    it('is refused after its key was disabled, and served after it was enabled', async () => {
      const caller = await MeteredCaller.create(world, '5');
      const { key, secret } = await makeKey(caller);
      await untilAll(200, caller, secret);
      await world.manager.call(caller.subject, 'POST', `/v1/keys/${key.id}/disable`);
      await untilAll(401, caller, secret);
      await expectNoCall(caller, secret);
      await world.manager.call(caller.subject, 'POST', `/v1/keys/${key.id}/enable`);
      await untilAll(200, caller, secret);
    });

    it('is refused after the deactivation of its user, with keys and access tokens', async () => {
      const caller = await MeteredCaller.create(world, '5');
      const { secret } = await makeKey(caller);
      await untilAll(200, caller, secret);
      await untilAll(200, caller, caller.token);
      const id = await findUserId(caller.subject);
      await world.manager.call('admin', 'POST', `/v1/users/${id}/deactivate`);
      await Promise.all([untilAll(401, caller, secret), untilAll(403, caller, caller.token)]);
      await expectNoCall(caller, secret);
      await expectNoCall(caller, await world.manager.issuer.token({ subject: caller.subject }));
      await world.manager.call('admin', 'POST', `/v1/users/${id}/activate`);
      await Promise.all([untilAll(200, caller, secret), untilAll(200, caller, caller.token)]);
    });

    it('ends while it runs, after its key was revoked, disabled or has expired, or its user was deactivated', async () => {
      const caller = await MeteredCaller.create(world, '5');
      const other = await MeteredCaller.create(world, '5');
      const [revoked, disabled] = [await makeKey(caller), await makeKey(caller)];
      const expiring = await makeKey(caller, { ttl_seconds: KEY_SECONDS });
      const untouched = stream(other, other.token, 'chunks=250');
      const streams = [revoked.secret, disabled.secret, expiring.secret, caller.token].map((credential) =>
        stream(caller, credential, 'endless=1'),
      );
      await waitForValue(() => streams.every(({ hasBegun }) => hasBegun()), Boolean);
      await world.manager.call(caller.subject, 'DELETE', `/v1/keys/${revoked.key.id}`);
      await world.manager.call(caller.subject, 'POST', `/v1/keys/${disabled.key.id}/disable`);
      const untilEnded = (of: readonly (typeof streams)[number][], withinMs = REFUSED_WITHIN_MS) =>
        waitForValue(() => of.every(({ isEnded }) => isEnded()), Boolean, withinMs);
      await untilEnded(streams.slice(0, 2));
      expect(streams[3]!.hasEnded()).toBe(false);
      await untilEnded(streams.slice(2, 3), KEY_SECONDS * 1_000 + REFUSED_WITHIN_MS);
      const id = await findUserId(caller.subject);
      await world.manager.call('admin', 'POST', `/v1/users/${id}/deactivate`);
      await untilEnded(streams);
      for (const { texts } of streams)
        for (const text of await texts) expect(text.slice(-1_000)).toMatch(/API key provided|may not use this gateway/);
      await untilEnded([untouched], 120_000);
      for (const text of await untouched.texts) expect(text.includes(' 249"')).toBe(true);
      const events = await caller.untilEvents(streams.length * 8);
      expect(new Set(events.map(({ outcome }) => outcome))).toEqual(new Set(['blocked_downstream']));
      expect(events.filter(({ charged_usd = '0' }) => readUsd(charged_usd) === 0n)).toEqual([]);
    }, 60_000);

    it('is served until its key expires, and refused from then on', async () => {
      const caller = await MeteredCaller.create(world, '5');
      const { key, secret } = await makeKey(caller, { ttl_seconds: KEY_SECONDS });
      expect(await send(caller, 'chat', secret)).toBe(200);
      await untilAll(401, caller, secret, KEY_SECONDS * 1_000 + REFUSED_WITHIN_MS);
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(key.expires_at ?? ''));
      await expectNoCall(caller, secret);
    });
  });

  describe('a model call within two seconds', () => {
    it('is refused like an unknown model after its policy was taken away, and served with another', async () => {
      const caller = await MeteredCaller.create(world, '5');
      const other = await MeteredCaller.create(world, '5');
      const { secret } = await makeKey(caller);
      await applyPolicy('of-other', other, ['*']);
      await untilAll(200, caller, secret);
      await world.backend.remove('AIPolicy', 'everybody');
      await Promise.all([
        untilAll(404, caller, secret, POLICY_WITHIN_MS),
        untilAll(404, caller, caller.token, POLICY_WITHIN_MS),
      ]);
      await expectNoCall(caller, secret);
      await untilAll(200, other, other.token);
      const models = [...new Set(Object.values(FORMAT_MODELS))];
      await applyPolicy('of-caller', caller, models);
      await Promise.all([
        untilAll(200, caller, secret, POLICY_WITHIN_MS),
        untilAll(200, caller, caller.token, POLICY_WITHIN_MS),
      ]);
      await applyPolicy(
        'of-caller',
        caller,
        models.filter((model) => model !== FORMAT_MODELS.message),
      );
      await waitForValue(
        () => Promise.all([0, 1].map((gateway) => send(caller, 'message', secret, gateway))),
        (statuses) => statuses.every((status) => status === 404),
        POLICY_WITHIN_MS,
      );
      expect(await send(caller, 'content', secret)).toBe(200);
      await applyPolicy('everybody', undefined, ['*']);
      await untilAll(200, caller, secret, POLICY_WITHIN_MS);
    }, 60_000);
  });
}
