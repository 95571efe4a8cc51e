import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { type GoogleTokenEndpoint, startGoogleTokenEndpoint } from '@gatehouse/testing/google-token-endpoint';
import type { ServerResponse } from 'node:http';
import { ModelCallError } from '../../../formats/model-call-error.ts';
import { GoogleTokens } from './google-tokens.ts';

let endpoint: GoogleTokenEndpoint;
let tokens: GoogleTokens;
let now: number;
let lines: object[];
const minutes = (count: number) => count * 60_000;
const listIssued = () => [...endpoint.tokens];

beforeEach(async () => {
  endpoint = await startGoogleTokenEndpoint();
  now = Date.now();
  lines = [];
  tokens = new GoogleTokens({
    allowLoopback: true,
    log: { warn: (fields) => void lines.push(fields) },
    now: () => now,
  });
});
afterEach(async () => {
  await tokens.close();
  await endpoint.close();
});

describe('GoogleTokens', () => {
  it('requests one token for all calls, and then returns it at once', async () => {
    const first = await Promise.all(Array.from({ length: 50 }, async () => tokens.get(endpoint.keyFile)));
    expect([new Set(first).size, endpoint.requests, tokens.get(endpoint.keyFile)]).toEqual([1, 1, first[0]]);
  });

  it('renews a token before its end while calls use the old one', async () => {
    const first = await tokens.get(endpoint.keyFile);
    now += minutes(50);
    expect([tokens.get(endpoint.keyFile), endpoint.requests]).toEqual([first, 1]);
    now += minutes(6);
    expect(tokens.get(endpoint.keyFile)).toBe(first);
    await eventually(() => tokens.get(endpoint.keyFile) !== first, 'the token is renewed');
    expect(tokens.get(endpoint.keyFile)).toBe(listIssued()[1]);
    expect(endpoint.requests).toBe(2);
  });

  it('uses the old token while its renewal fails, and never one that has ended', async () => {
    const first = await tokens.get(endpoint.keyFile);
    endpoint.answer = (response) => void response.writeHead(503).end();
    now += minutes(56);
    expect(tokens.get(endpoint.keyFile)).toBe(first);
    await eventually(() => lines.length > 0, 'the renewal has failed');
    expect(tokens.get(endpoint.keyFile)).toBe(first);
    now += minutes(4);
    await expect(tokens.get(endpoint.keyFile)).rejects.toBeInstanceOf(ModelCallError);
  });

  it('has another token for another value of the secret', async () => {
    const first = await tokens.get(endpoint.keyFile);
    const second = await tokens.get(`${endpoint.keyFile}\n`);
    expect([first === second, endpoint.requests]).toEqual([false, 2]);
  });

  it('replaces a refused token, unless it is new', async () => {
    const first = await tokens.get(endpoint.keyFile);
    tokens.forget(endpoint.keyFile);
    expect(tokens.get(endpoint.keyFile)).toBe(first);
    now += minutes(1);
    tokens.forget(endpoint.keyFile);
    expect(await tokens.get(endpoint.keyFile)).not.toBe(first);
  });

  it.each<[string, (response: ServerResponse) => unknown, string]>([
    [
      'a refusal',
      (response) => response.writeHead(400).end('{"error":"invalid_grant","error_description":"canary"}'),
      'google_token_refused: 400 invalid_grant',
    ],
    ['an error without JSON', (response) => response.writeHead(502).end('canary'), 'google_token_refused: 502'],
    [
      'a code that is no code',
      (response) => response.writeHead(400).end('{"error":"a canary!"}'),
      'google_token_refused: 400',
    ],
    ['no token', (response) => response.writeHead(200).end('{"id_token":"canary"}'), 'google_token_unreadable'],
    [
      'a token that no header can carry',
      (response) => response.writeHead(200).end(JSON.stringify({ access_token: 'canary\r\nx: y' })),
      'google_token_unreadable',
    ],
    [
      'a redirect',
      (response) => response.writeHead(307, { location: 'http://169.254.169.254/canary' }).end(),
      'google_token_unavailable',
    ],
    ['a broken connection', (response) => response.destroy(), 'google_token_unavailable'],
    [
      'a huge document',
      (response) => response.writeHead(200).end('canary'.repeat(100_000)),
      'google_token_unavailable',
    ],
  ])('fails after %s, with a reason without a secret', async (_, answer, reason) => {
    endpoint.answer = answer;
    const error = await Promise.resolve(tokens.get(endpoint.keyFile)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ failure: 'unavailable', reason: expect.stringContaining(reason) });
    const { message, reason: told } = error as ModelCallError;
    expect(JSON.stringify([message, told, lines])).not.toMatch(/canary|PRIVATE KEY|eyJ/);
    expect(lines).toMatchObject([{ account: 'gateway@sim-project.iam.gserviceaccount.com', reason: told }]);
  });

  it('pauses after a failure, and works again afterwards', async () => {
    endpoint.answer = (response) => void response.writeHead(503).end();
    for (let call = 0; call < 20; call += 1) await expect(tokens.get(endpoint.keyFile)).rejects.toThrow('no access');
    expect([endpoint.requests, lines.length]).toEqual([1, 1]);
    endpoint.answer = undefined;
    now += minutes(1);
    expect(await tokens.get(endpoint.keyFile)).toBe(listIssued()[0]);
  });

  it('refuses a token endpoint on this machine without the setting of the deployment', async () => {
    const strict = new GoogleTokens({ allowLoopback: false, log: { warn: () => undefined } });
    await expect(strict.get(endpoint.keyFile)).rejects.toMatchObject({
      reason: expect.stringContaining('does not allow'),
    });
    expect(endpoint.requests).toBe(0);
    await strict.close();
  });
});
