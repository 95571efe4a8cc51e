import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from './canonical.ts';
import { etagOfContent } from './envelope.ts';
import {
  alice,
  refusalCode,
  makeKey,
  NOON,
  envelopeText,
  type TestKey,
  unsignedEnvelope,
} from './envelopes.fixture.ts';
import { verifyEnvelope } from './verify.ts';

describe('verifyEnvelope', () => {
  let key: TestKey;
  let other: TestKey;
  beforeAll(async () => {
    key = await makeKey('current');
    other = await makeKey('other');
  });
  const keys = () => ({ keys: [other.jwk, key.jwk] });
  const judge = (text: string | Uint8Array, more: object = {}, jwks: unknown = keys()) =>
    refusalCode(verifyEnvelope(text, jwks, { ...alice, now: NOON, ...more }));
  const changed = async (change: (envelope: JsonObject) => void) => {
    const envelope = JSON.parse(await envelopeText(key)) as JsonObject;
    change(envelope);
    return JSON.stringify(envelope);
  };

  it('returns the configuration to its recipient', async () => {
    expect(await verifyEnvelope(await envelopeText(key), keys(), { ...alice, now: NOON })).toEqual({
      config: unsignedEnvelope().config,
      etag: etagOfContent(unsignedEnvelope().config, undefined),
      issued_at: '2026-11-20T11:00:00.000Z',
      not_after: '2026-11-21T11:00:00.000Z',
      refresh_interval_ms: 300_000,
      kid: 'current',
    });
  });

  it('accepts any order and spacing of members', async () => {
    const envelope = JSON.parse(await envelopeText(key)) as JsonObject;
    const turned = JSON.stringify(Object.fromEntries(Object.entries(envelope).reverse()), null, 3);
    expect(await judge(turned)).toBe('accepted');
    expect(await judge(new TextEncoder().encode(turned))).toBe('accepted');
  });

  it('refuses an envelope from which the degraded mode was removed', async () => {
    const degraded_mode = {
      ...{ policy: 'block_new' as const, grace_period: '2h', message: 'the directory is away' },
      in_force: true,
    };
    const text = await envelopeText(key, { degraded_mode });
    expect(await verifyEnvelope(text, keys(), { ...alice, now: NOON })).toMatchObject({ degraded_mode });
    const healthy = JSON.parse(text) as JsonObject;
    delete healthy['degraded_mode'];
    expect(await judge(JSON.stringify(healthy))).toBe('bad_signature');
  });

  it.each<[string, (envelope: JsonObject) => void]>([
    ['directive', (envelope) => Object.assign(envelope['config'] as object, { playground: false })],
    ['set of directives', (envelope) => Object.assign(envelope['config'] as object, { help_menu: true })],
    ['not_after', (envelope) => Object.assign(envelope, { not_after: '2027-11-21T11:00:00.000Z' })],
    ['issued_at', (envelope) => Object.assign(envelope, { issued_at: '2026-11-20T11:00:00.001Z' })],
    ['refresh_interval', (envelope) => Object.assign(envelope, { refresh_interval: '999h' })],
    ['schema_version', (envelope) => Object.assign(envelope, { schema_version: '2' })],
    ['set of members', (envelope) => Object.assign(envelope, { extra: true })],
    ['degraded_mode', (e) => Object.assign(e, { degraded_mode: { policy: 'warn', grace_period: '1h', message: '' } })],
  ])('refuses a changed %s', async (_, change) => {
    expect(await judge(await changed(change))).toBe('bad_signature');
  });

  it('refuses an etag of other content', async () => {
    const etag = etagOfContent({}, undefined);
    expect(await judge(await changed((envelope) => Object.assign(envelope, { etag })))).toBe('etag_mismatch');
  });

  it('refuses an envelope for another type of client', async () => {
    const text = await envelopeText(key, {}, { ...alice, audience: 'gatehouse-desktop' });
    expect(await judge(text)).toBe('wrong_audience');
  });

  it('refuses an envelope of another user, also with the same subject at another issuer', async () => {
    expect(await judge(await envelopeText(key, {}, { ...alice, subject: 'bob' }))).toBe('wrong_subject');
    expect(await judge(await envelopeText(key, {}, { ...alice, issuer: 'https://id.example/' }))).toBe('wrong_subject');
    const shifted = { ...alice, issuer: 'https://id.example","x', subject: 'y' };
    expect(await judge(await envelopeText(key, {}, shifted), { issuer: 'https://id.example', subject: 'x","y' })).toBe(
      'wrong_subject',
    );
  });

  it('accepts an envelope until exactly not_after', async () => {
    const text = await envelopeText(key);
    const end = Date.parse('2026-11-21T11:00:00.000Z');
    expect(await judge(text, { now: new Date(end - 1) })).toBe('accepted');
    expect(await judge(text, { now: new Date(end) })).toBe('expired');
    expect(await judge(text, { now: new Date(end + 86_400_000) })).toBe('expired');
  });

  it('accepts an issued_at ahead of the clock only within the leeway', async () => {
    const text = await envelopeText(key);
    const issued = Date.parse('2026-11-20T11:00:00.000Z');
    expect(await judge(text, { now: new Date(issued - 60_000) })).toBe('accepted');
    expect(await judge(text, { now: new Date(issued - 60_001) })).toBe('issued_in_future');
    expect(await judge(text, { now: new Date(issued - 1), leewayMs: 0 })).toBe('issued_in_future');
  });

  it('refuses an older envelope than the last accepted one, and accepts the same time', async () => {
    const text = await envelopeText(key);
    expect(await judge(text, { lastAccepted: '2026-11-20T11:00:00.001Z' })).toBe('rolled_back');
    expect(await judge(text, { lastAccepted: '2026-11-20T11:00:00.000Z' })).toBe('accepted');
    expect(await judge(text, { lastAccepted: '2026-11-20T10:59:59.999Z' })).toBe('accepted');
    expect(await judge(text, { lastAccepted: 'not a time' })).toBe('rolled_back');
  });

  it('refuses an unknown schema_version', async () => {
    expect(await judge(await envelopeText(key, { schema_version: '2' }))).toBe('unsupported_schema');
  });

  it('refuses a not_after before issued_at', async () => {
    expect(await judge(await envelopeText(key, { not_after: '2026-11-20T11:00:00.000Z' }))).toBe('malformed');
  });

  it.each([
    ['empty', ''],
    ['not JSON', '{"config":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['an object with half of a surrogate pair', '{"config":{"a":"\\ud800"}}'],
    ['nested too deeply', '['.repeat(1000) + ']'.repeat(1000)],
    ['an object after a byte order mark', '\ufeff{}'],
    ['a string of five megabytes', `"${'a'.repeat(5 * 1024 * 1024)}"`],
  ])('refuses a text that is %s', async (_, text) => {
    expect(await judge(text)).toBe('malformed');
  });

  it('refuses invalid UTF-8', async () => {
    expect(await judge(new Uint8Array([0x22, 0xc3, 0x28, 0x22]))).toBe('malformed');
  });

  it.each<[string, (envelope: JsonObject) => void]>([
    ['config is a list', (envelope) => Object.assign(envelope, { config: [] })],
    ['issued_at is a number', (envelope) => Object.assign(envelope, { issued_at: 1 })],
    ['not_after has a zone', (envelope) => Object.assign(envelope, { not_after: '2026-11-21T11:00:00+00:00' })],
    ['refresh_interval is zero', (envelope) => Object.assign(envelope, { refresh_interval: '0s' })],
    [
      'degraded_mode.in_force is not a boolean',
      (envelope) =>
        Object.assign(envelope, {
          degraded_mode: { policy: 'warn', grace_period: '1h', message: '', in_force: 'yes' },
        }),
    ],
    ['degraded_mode is null', (envelope) => Object.assign(envelope, { degraded_mode: null })],
    ['the etag is missing', (envelope) => delete envelope['etag']],
    ['the signature is missing', (envelope) => delete envelope['signature']],
  ])('refuses an envelope when %s', async (_, change) => {
    expect(await judge(await changed(change))).toBe('malformed');
  });

  it('refuses duplicate members at any depth and in any spelling', async () => {
    const text = await envelopeText(key);
    const twice = [
      text.replace('{"', '{"config":{},"'),
      text.replace('"value":true', '"value":false,"value":true'),
      text.replace('"value":true', '"v\\u0061lue":false,"value":true'),
    ];
    for (const forgery of twice) expect(await judge(forgery)).toBe('duplicate_member');
    expect(await judge(text.replace('"value":true', '"value" : true'))).toBe('accepted');
  });
});
