import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { clearCookie, readCookie, setCookie } from './cookies.ts';

/** The Set-Cookie headers of a response, and the value that a request brings. */
async function exchange(origin: string, cookie = '') {
  const server = fastify();
  let value: string | undefined;
  server.get('/', (request, reply) => {
    value = readCookie(request, origin, 'session');
    setCookie(reply, origin, { name: 'session', value: 'secret', maxAgeSeconds: 60 });
    clearCookie(reply, origin, 'other');
    return reply.send();
  });
  const { headers } = await server.inject({ url: '/', headers: { cookie } });
  return { set: headers['set-cookie'], value };
}

describe('cookies', () => {
  it('over https belong to the host alone', async () => {
    const { set, value } = await exchange('https://gateway.example', '__Host-gatehouse-session=known');
    expect(set).toEqual([
      '__Host-gatehouse-session=secret; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Host-gatehouse-other=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ]);
    expect(value).toBe('known');
    expect((await exchange('https://gateway.example', 'gatehouse-session=forged')).value).toBeUndefined();
  });

  it('over http are those of one port', async () => {
    const { set, value } = await exchange(
      'http://127.0.0.1:8081',
      'gatehouse-8082-session=a; gatehouse-8081-session=b',
    );
    expect(set?.[0]).toBe('gatehouse-8081-session=secret; Max-Age=60; Path=/; HttpOnly; SameSite=Lax');
    expect(value).toBe('b');
  });
});
