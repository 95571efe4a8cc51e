import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from './config.ts';
import { createServer } from './server.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-console-'));
const host = 'localhost:8084';
let environment: Record<string, string>;
let manager: Server;
let server: FastifyInstance;
/** The response of the enterprise manager, and the requests that it received. */
let managerResponse = { status: 200, headers: {}, body: '{}' };
const requests: { url: string | undefined; headers: NodeJS.Dict<string | string[]> }[] = [];

beforeAll(async () => {
  mkdirSync(join(folder, 'page', 'assets'), { recursive: true });
  writeFileSync(join(folder, 'page', 'index.html'), '<meta nonce="GATEHOUSE_NONCE">');
  writeFileSync(join(folder, 'page', 'assets', 'app.js'), 'script');
  writeFileSync(join(folder, 'page', 'assets', '.hidden'), 'secret');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  manager = createHttpServer((request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    response.writeHead(managerResponse.status, managerResponse.headers).end(managerResponse.body);
  }).listen(0, '127.0.0.1');
  await once(manager, 'listening');
  const url = `http://127.0.0.1:${(manager.address() as AddressInfo).port}`;
  environment = {
    ISSUER: 'http://127.0.0.1:8090',
    ENTERPRISE_MANAGER_URL: url,
    CONNECTOR_GATEWAY_URL: url,
    AI_GATEWAY_MGMT_URL: url,
    AI_GATEWAY_URL: url,
  };
  server = await createServer(loadSettings(environment), join(folder, 'page'));
});
afterAll(async () => {
  await server.close();
  manager.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ method: 'GET', url, headers: { host, ...headers } });

describe('the files of the page', () => {
  it('are served from their folder', async () => {
    expect((await get('/assets/app.js')).body).toBe('script');
  });

  it.each([
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/%252e%252e/secret.txt',
    '/assets//../../secret.txt',
    '/assets/.hidden',
    '/assets/app.js%00.txt',
    '/assets/',
    '/index.html',
  ])('are limited to their folder: %s', async (path) => {
    const { statusCode, body } = await get(path);
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(statusCode).toBeLessThan(500);
    expect(body).not.toContain('secret"');
    expect(body).not.toBe('secret');
  });
});

describe('every response', () => {
  it.each(['/', '/api/config', '/api/me', '/nothing', '/assets/app.js', '/assets/nothing', '/%'])(
    'forbids frames and other origins: %s',
    async (path) => {
      const { headers } = await get(path, { origin: 'https://evil.test' });
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it.each([
    ['127.0.0.1', '127.0.0.1:8084'],
    ['127.0.0.2', '127.0.0.2:8084'],
    ['localhost', 'localhost:8084'],
    ['::1', '[::1]:8084'],
  ])('requires a host name of this console on the loopback address %s', async (HOST, own) => {
    const one = await createServer(loadSettings({ ...environment, HOST }), join(folder, 'page'));
    const statusFor = async (name: string) =>
      (await one.inject({ method: 'GET', url: '/api/config', headers: { host: name } })).statusCode;
    expect([await statusFor(own), await statusFor('rebound.example:8084')]).toEqual([200, 421]);
    await one.close();
  });

  it('requires a host name of this console', async () => {
    for (const name of ['evil.test', 'localhost.evil.test:8084', '127.0.0.1:8085', ''])
      expect((await get('/api/config', { host: name })).statusCode).toBe(421);
  });

  it('has a nonce of its own', async () => {
    const [one, two] = [await get('/'), await get('/')];
    expect(one.body).not.toBe(two.body);
    const nonce = /nonce="([^"]+)"/.exec(one.body)?.[1] ?? 'none';
    expect(one.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  });
});

describe('the profile', () => {
  const bearer = { authorization: 'Bearer a.b.c' };

  it('is requested with the token of the caller and no other part of the request', async () => {
    managerResponse = {
      status: 200,
      headers: { 'set-cookie': 'x=y', location: 'https://evil.test' },
      body: '{"user_name":"alice"}',
    };
    const { headers, body } = await get('/api/me?path=/v1/users', {
      ...bearer,
      cookie: 'a=b',
      'x-forwarded-host': 'evil.test',
    });
    expect(body).toBe('{"user_name":"alice"}');
    expect(requests.at(-1)?.url).toBe('/v1/me');
    expect(requests.at(-1)?.headers).toMatchObject(bearer);
    expect(requests.at(-1)?.headers['cookie']).toBeUndefined();
    expect(requests.at(-1)?.headers['x-forwarded-host']).toBeUndefined();
    expect([headers['set-cookie'], headers['location']]).toEqual([undefined, undefined]);
  });

  it('is requested without following redirects', async () => {
    managerResponse = { status: 302, headers: { location: '/elsewhere' }, body: '' };
    expect((await get('/api/me', bearer)).statusCode).toBe(503);
    expect(requests.at(-1)?.url).toBe('/v1/me');
  });

  it.each(['', 'Bearer', 'Basic eDp4'])('is not requested with the authorization %j', async (authorization) => {
    const before = requests.length;
    expect((await get('/api/me', { authorization })).statusCode).toBe(401);
    expect(requests).toHaveLength(before);
  });
});
