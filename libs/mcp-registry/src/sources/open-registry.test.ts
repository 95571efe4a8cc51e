import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookUpServer } from '../registry/look-up-server.ts';
import {
  AmbiguousServerError,
  RegistryUnavailableError,
  UnknownServerError,
  UnsupportedServerError,
} from '../registry-error.ts';
import { detectSource } from './detect-source.ts';
import { DocumentCache } from './document-cache.ts';
import { openRegistry } from './open-registry.ts';
import { FRESH_MS } from './registry-client.ts';
import type { RegistrySource } from './registry-source.ts';

const createEntry = (name: string) => ({ name, description: `About ${name}`, version: '1.0.0' });
const createDocument = (...names: string[]) => ({
  ...{ version: '1.0.0', meta: { last_updated: '2026-11-26T00:00:00Z' } },
  data: { servers: names.map(createEntry), groups: [] },
});

let folder: string;
let server: Server;
let origin: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let requests: string[];
let notes: string[];
let now: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-registry-'));
  [requests, notes, now] = [[], [], Date.parse('2026-11-26T12:00:00Z')];
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stop();
});

async function stop(): Promise<void> {
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
}
const answerJson = (value: unknown) => (_: IncomingMessage, response: ServerResponse) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
};
const getOptions = () => ({
  ...{ cacheFolder: join(folder, 'cache'), note: (text: string) => notes.push(text), now: () => new Date(now) },
});
const open = (source: RegistrySource) => openRegistry(source, getOptions());
const openUrl = (path = '/registry.json') => open({ kind: 'url', url: `${origin}${path}`, allow_private_ip: true });
const openApi = () => open({ kind: 'api', url: origin, allow_private_ip: true });
const listNames = async (registry: Awaited<ReturnType<typeof open>>) =>
  (await registry.list()).servers.map(({ name }) => name);

describe('a registry in a file', () => {
  it('finds a server by its name and by the end of its name', async () => {
    const path = join(folder, 'registry.json');
    writeFileSync(path, JSON.stringify(createDocument('a.b/files', 'c.d/files', 'c.d/time')));
    const registry = await open({ kind: 'file', path });
    expect((await registry.find('time')).name).toBe('c.d/time');
    expect((await registry.find('a.b/files')).name).toBe('a.b/files');
    await expect(registry.find('d/time')).rejects.toThrow(UnknownServerError);
    const failure = registry.find('files');
    await expect(failure).rejects.toThrow(AmbiguousServerError);
    await expect(failure).rejects.toThrow('a.b/files, c.d/files');
  });

  it('is refused with its path when it is missing or no file', async () => {
    for (const path of [join(folder, 'missing.json'), folder, '/dev/zero'])
      await expect((await open({ kind: 'file', path })).list()).rejects.toThrow(
        `The registry file ${path} cannot be read`,
      );
  });
});

describe('a registry at a URL', () => {
  it('is asked again after five minutes, and not loaded again if it did not change', async () => {
    answer = (request, response) => {
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else answerJson(createDocument('a.b/files'))(request, response.setHeader('etag', '"1"'));
    };
    expect(await listNames(await openUrl())).toEqual(['a.b/files']);
    expect(await listNames(await openUrl())).toEqual(['a.b/files']);
    expect(requests).toHaveLength(1);
    now += FRESH_MS;
    expect(await listNames(await openUrl())).toEqual(['a.b/files']);
    expect(requests).toHaveLength(2);
    expect(notes).toEqual([]);
  });

  it('is replaced by its stored copy, with a note, when it does not answer', async () => {
    answer = answerJson(createDocument('a.b/files'));
    await (await openUrl()).list();
    now += 24 * 3_600_000;
    await stop();
    expect(await listNames(await openUrl())).toEqual(['a.b/files']);
    expect(notes).toEqual([
      expect.stringMatching(/cannot be read: .*\. This is the stored copy of 2026-11-26T12:00:00\.000Z\.$/),
    ]);
  });

  it.each([
    ['a login page', (_: IncomingMessage, response: ServerResponse) => response.end('<html>'), 'is not valid JSON'],
    ['an error', (_: IncomingMessage, response: ServerResponse) => response.writeHead(502).end('x'), 'status 502'],
    ['a cut answer', cutAnswer, 'cannot be read'],
  ] as const)('keeps its stored copy after %s', async (_, next, reason) => {
    answer = answerJson(createDocument('a.b/files'));
    await (await openUrl()).list();
    now += FRESH_MS;
    answer = next;
    expect(await listNames(await openUrl())).toEqual(['a.b/files']);
    expect(notes).toEqual([expect.stringContaining(reason)]);
    answer = answerJson(createDocument('a.b/files', 'a.b/time'));
    expect(await listNames(await openUrl())).toEqual(['a.b/files', 'a.b/time']);
  });

  it('ignores a damaged stored copy', async () => {
    answer = answerJson(createDocument('a.b/files'));
    await (await openUrl()).list();
    const [file] = readdirSync(join(folder, 'cache'));
    writeFileSync(join(folder, 'cache', file ?? ''), '{"url":');
    expect(await listNames(await openUrl())).toEqual(['a.b/files']);
    expect(requests).toHaveLength(2);
  });

  it('is not called at a private address without permission', async () => {
    answer = answerJson(createDocument('a.b/files'));
    const registry = await open({ kind: 'url', url: `${origin}/registry.json`, allow_private_ip: false });
    await expect(registry.list()).rejects.toMatchObject({
      ...{ code: 'registry_unavailable', tryNext: [expect.stringContaining('--allow-private-ip')] },
    });
    expect(requests).toEqual([]);
  });

  it('is given up after the time of the question', async () => {
    answer = () => undefined;
    const source: RegistrySource = { kind: 'url', url: `${origin}/registry.json`, allow_private_ip: true };
    const hanging = await openRegistry(source, { ...getOptions(), timeoutMs: 50 });
    await expect(hanging.list()).rejects.toThrow(`The registry ${origin} cannot be read: `);
    expect(requests).toHaveLength(1);
  });

  it('ends at 16 MiB', async () => {
    answer = (_, response) => response.end(Buffer.alloc(17 * 1024 * 1024, 0x20));
    await expect((await openUrl()).list()).rejects.toThrow(RegistryUnavailableError);
  });
});

function cutAnswer(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '1000' }).write('{"version"');
  response.socket?.destroySoon();
}

describe('a registry with the API', () => {
  const wrap = (name: string, status = 'active') => ({
    ...{
      server: createEntry(name),
      _meta: { 'io.modelcontextprotocol.registry/official': { status, isLatest: true } },
    },
  });

  it('reads all pages, without deleted servers', async () => {
    answer = (request, response) => {
      const cursor = new URL(request.url ?? '', origin).searchParams.get('cursor');
      const page = cursor === null ? [wrap('a.b/files'), wrap('a.b/gone', 'deleted')] : [wrap('a.b/time')];
      answerJson({ servers: page, metadata: cursor === null ? { nextCursor: 'a b&c' } : {} })(request, response);
    };
    expect(await listNames(await openApi())).toEqual(['a.b/files', 'a.b/time']);
    expect(requests).toEqual([
      '/v0.1/servers?limit=100&version=latest',
      '/v0.1/servers?limit=100&version=latest&cursor=a+b%26c',
    ]);
  });

  it('asks for one server by its full name, and searches for a short one', async () => {
    answer = (request, response) =>
      answerJson(
        request.url?.includes('/versions/')
          ? wrap('a.b/files')
          : { servers: [wrap('a.b/files'), wrap('a.b/files-two')], metadata: {} },
      )(request, response);
    expect((await (await openApi()).find('a.b/files')).name).toBe('a.b/files');
    expect((await (await openApi()).find('files')).name).toBe('a.b/files');
    expect(requests).toEqual([
      '/v0.1/servers/a.b%2Ffiles/versions/latest',
      '/v0.1/servers?limit=100&version=latest&search=files',
    ]);
  });

  it('is refused when it answers with another server', async () => {
    answer = answerJson(wrap('a.b/evil'));
    await expect((await openApi()).find('a.b/files')).rejects.toThrow(UnsupportedServerError);
  });

  it('does not have a server that it answers with 404', async () => {
    answer = (_, response) => response.writeHead(404).end();
    await expect((await openApi()).find('a.b/files')).rejects.toThrow(UnknownServerError);
  });

  it('is refused when its pages never end', async () => {
    answer = answerJson({ servers: [], metadata: { nextCursor: 'again' } });
    await expect((await openApi()).list()).rejects.toThrow('repeats the page again');
    expect(requests).toHaveLength(2);
  });
});

describe('the place of a registry', () => {
  const detect = (text: string) =>
    detectSource(text, '/folder', {
      ...getOptions(),
      allowPrivateIp: true,
      cache: new DocumentCache(folder),
      ignoreStored: true,
    });

  it.each([
    ['registry.json', { kind: 'file', path: '/folder/registry.json' }],
    ['/x/registry', { kind: 'file', path: '/x/registry' }],
    ['file:///x/a%20b.json', { kind: 'file', path: '/x/a b.json' }],
  ])('%s is a file', async (text, source) => expect(await detect(text)).toEqual(source));

  it('is an API if the first page can be read, else a document', async () => {
    const address = { url: origin, allow_private_ip: true };
    answer = answerJson({ servers: [], metadata: {} });
    expect(await detect(origin)).toEqual({ kind: 'api', ...address });
    expect(requests).toEqual(['/v0.1/servers?limit=1&version=latest']);
    answer = (_, response) => response.writeHead(404).end();
    expect(await detect(origin)).toEqual({ kind: 'url', ...address });
    answer = answerJson(createDocument('a.b/files'));
    expect(await detect(origin)).toEqual({ kind: 'url', ...address });
    expect(await detect(`${origin}/x.json`)).toEqual({ kind: 'url', ...address, url: `${origin}/x.json` });
  });

  it('is not accepted while the registry wants a sign-in or does not answer', async () => {
    answer = (_, response) => response.writeHead(401).end();
    await expect(detect(origin)).rejects.toThrow('wants a sign-in');
    await stop();
    await expect(detect(origin)).rejects.toThrow(RegistryUnavailableError);
  });
});

describe('lookUpServer', () => {
  it('leaves images alone when the registry does not answer', async () => {
    answer = (_, response) => response.writeHead(500).end();
    expect(await lookUpServer(await openUrl(), 'server')).toMatchObject({ state: 'unavailable' });
    requests.length = 0;
    for (const image of ['ghcr.io/owner/server', 'server:1.0', 'npx://x', 'x@sha256:00', './x', 'https://x'])
      expect(await lookUpServer(await openUrl(), image)).toEqual({ state: 'absent' });
    expect(requests).toEqual([]);
  });

  it('finds a server, and reports a short name that is not unique', async () => {
    answer = answerJson(createDocument('a.b/files', 'c.d/files', 'c.d/time'));
    expect(await lookUpServer(await openUrl(), 'time')).toMatchObject({ state: 'found', entry: { name: 'c.d/time' } });
    expect(await lookUpServer(await openUrl(), 'other')).toEqual({ state: 'absent' });
    await expect(lookUpServer(await openUrl(), 'files')).rejects.toThrow(AmbiguousServerError);
  });
});
