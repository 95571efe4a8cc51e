import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { EmbeddedServerWorld } from './support/embedded-server.ts';
import { signIn } from './support/mcp-sign-in.ts';

let world: EmbeddedServerWorld;

beforeAll(async () => {
  world = await EmbeddedServerWorld.start();
  await world.replica();
}, 60_000);
afterAll(() => world.close());

describe('a stock client that knows only the address of the MCP endpoint', () => {
  it('registers, signs in at the corporate provider, and gets an access token for the endpoint', async () => {
    const memory = await signIn(`${world.publicUrl}/mcp`);
    const { access_token: token = '', refresh_token, expires_in } = memory.stored ?? {};
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' });
    expect(decodeJwt(token)).toMatchObject({
      iss: world.publicUrl,
      aud: `${world.publicUrl}/mcp`,
      sub: 'alice',
      corporate_issuer: world.corporate.issuer,
    });
    expect(expires_in).toBe(600);
    expect(refresh_token).toBeDefined();
  });

  it('refreshes its tokens', async () => {
    const memory = await signIn(`${world.publicUrl}/mcp`);
    const before = memory.stored;
    expect(await auth(memory, { serverUrl: `${world.publicUrl}/mcp` })).toBe('AUTHORIZED');
    expect(memory.stored?.refresh_token).not.toBe(before?.refresh_token);
  });
});
