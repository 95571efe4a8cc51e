import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, importPKCS8 } from 'jose';
import { type ModelVendors, startModelVendors, VENDOR_KEYS } from './model-vendors.ts';

const PROJECT = '/v1/projects/sim-project/locations/us-central1/';
const GEMINI = `${PROJECT}publishers/google/models/gemini-3.8-flash:`;
const CLAUDE = `${PROJECT}publishers/anthropic/models/claude-sonnet-5-5:`;
const COUNT = `${PROJECT}publishers/anthropic/models/count-tokens:rawPredict`;
const CHAT = `${PROJECT}endpoints/openapi/chat/completions`;
const contents = [{ role: 'user', parts: [{ text: 'hello' }] }];
const messages = [{ role: 'user', content: 'hello' }];
const version = { anthropic_version: 'vertex-2023-10-16' };
const message = { ...version, max_tokens: 100, messages };

let vendors: ModelVendors;
let token: string;
beforeAll(async () => {
  vendors = await startModelVendors();
  token = ((await (await requestToken()).json()) as { access_token: string }).access_token;
});
afterAll(() => vendors.close());

/** Requests a token with an assertion. @param claims that replace the right ones */
async function requestToken(claims: object = {}): Promise<Response> {
  const key = JSON.parse(vendors.googleKeyFile) as Readonly<
    Record<'client_email' | 'token_uri' | 'private_key' | 'private_key_id', string>
  >;
  const seconds = Math.floor(Date.now() / 1_000);
  const assertion = await new SignJWT({
    iss: key.client_email,
    aud: key.token_uri,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    iat: seconds,
    exp: seconds + 60,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', kid: key.private_key_id })
    .sign(await importPKCS8(key.private_key, 'RS256'));
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return fetch(key.token_uri, { method: 'POST', headers, body });
}

const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const response = await fetch(`${vendors.urls.vertex}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json().catch(() => ({}))) as object };
};

describe('the simulator of Vertex AI', () => {
  it.each([
    [`${GEMINI}generateContent`, { contents }, { candidates: [{}] }],
    [`${GEMINI}countTokens`, { contents }, { totalTokens: 2 }],
    [`${CLAUDE}rawPredict`, message, { type: 'message', model: 'claude-sonnet-5-5' }],
    [`${CLAUDE}rawPredict`, { ...message, anthropic_version: '2026-10-21' }, { type: 'message' }],
    [COUNT, { ...version, model: 'claude-sonnet-5-5', messages }, { input_tokens: 2 }],
    [CHAT, { model: 'google/gemini-2.5-flash', messages }, { object: 'chat.completion' }],
  ])('serves %s with an access token', async (path, body, expected) => {
    expect(await send(path, body)).toMatchObject({ status: 200, body: expected });
  });

  it.each([
    ['another project', `${GEMINI}generateContent`.replace('sim-project', 'other'), { contents }, 403, 'permission'],
    ['another location', `${GEMINI}generateContent`.replace('us-central1', 'global'), { contents }, 403, 'permission'],
    ['an unknown model', `${GEMINI}generateContent`.replace('3.8', '9.9'), { contents }, 404, 'was not found'],
    ['a method of the Gemini API', `${GEMINI}batchEmbedContents`, { contents }, 404, 'not found'],
    ['contents without a role', `${GEMINI}generateContent`, { contents: [{ parts: [] }] }, 400, 'valid role'],
    ['the model in the body', `${GEMINI}generateContent`, { contents, model: 'models/a' }, 400, 'Unknown name'],
    ['a message with its model', `${CLAUDE}rawPredict`, { ...message, model: 'a' }, 400, 'model: Extra inputs'],
    ['a message without a version', `${CLAUDE}rawPredict`, { max_tokens: 1, messages }, 400, 'anthropic_version'],
    ['a stream by rawPredict', `${CLAUDE}rawPredict`, { ...message, stream: true }, 400, 'stream'],
    ['a whole message by streamRawPredict', `${CLAUDE}streamRawPredict`, message, 400, 'stream'],
    ['a count without a model', COUNT, { ...version, messages }, 400, 'model: Field required'],
    ['a model without its publisher', CHAT, { model: 'gemini-2.5-flash', messages }, 400, 'invalid argument'],
  ])('refuses %s', async (_, path, body, status, text) => {
    const answer = await send(path, body);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(text)]);
  });

  it.each([
    { authorization: 'Bearer wrong' },
    { authorization: '' },
    { 'x-goog-api-key': VENDOR_KEYS.google },
    { 'x-api-key': 'a' },
  ])('refuses the credentials %j', async (headers) => {
    expect(await send(`${GEMINI}generateContent`, { contents }, headers)).toMatchObject({
      status: 401,
      body: { error: { status: 'UNAUTHENTICATED' } },
    });
  });

  it('refuses the header of the version', async () => {
    expect((await send(`${CLAUDE}rawPredict`, message, { 'anthropic-version': '2023-06-01' })).status).toBe(400);
  });
});

describe('the token endpoint of Google', () => {
  it.each([
    ['a wrong audience', { aud: 'https://oauth2.googleapis.com/token' }],
    ['a wrong scope', { scope: 'openid' }],
    ['another account', { iss: 'other@sim-project.iam.gserviceaccount.com' }],
    ['a long lifetime', { exp: Math.floor(Date.now() / 1_000) + 7_200 }],
  ])('refuses an assertion with %s', async (_, claims) => {
    const response = await requestToken(claims);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.stringMatching(/^invalid_/), error_description: expect.any(String) },
    ]);
  });
});
