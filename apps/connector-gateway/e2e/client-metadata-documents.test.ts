import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDocumentFetch } from '../src/authorization-server/clients/document-fetch.ts';
import { EmbeddedServerWorld } from './support/embedded-server.ts';
import { CLIENT_REDIRECT, ClientMemory, decide, openConsent, signIn } from './support/mcp-sign-in.ts';
import { createAuthorization, redeem, register, registerClient } from './support/raw-authorization.ts';

let world: EmbeddedServerWorld;
let origin: string;
/** Answers requests for the documents of `https://client.example`. */
let answer: (path: string, response: ServerResponse) => void = () => undefined;
let requested: string[] = [];
const documents = createServer(({ url = '' }, response) => {
  requested.push(url);
  answer(url, response);
});

beforeAll(async () => {
  world = await EmbeddedServerWorld.start();
  origin = (await world.replica()).address;
  documents.listen(0, '127.0.0.1');
  await once(documents, 'listening');
  const authority = `127.0.0.1:${(documents.address() as AddressInfo).port}`;
  const fetchLocal = createDocumentFetch({ authority, allowPrivateIps: true, allowLoopback: true });
  const fetchPublic = createDocumentFetch();
  world.fetch = (url, init) => {
    const { host, pathname } = new URL(url);
    return host === 'client.example' ? fetchLocal(`http://${authority}${pathname}`, init) : fetchPublic(url, init);
  };
}, 60_000);
afterEach(() => {
  requested = [];
});
afterAll(async () => {
  documents.closeAllConnections();
  documents.close();
  await world.close();
});

const createDocument = (clientId: string, more: Record<string, unknown> = {}) => ({
  client_id: clientId,
  client_name: 'Client with a document',
  redirect_uris: [CLIENT_REDIRECT],
  token_endpoint_auth_method: 'none',
  ...more,
});

/** The response to an authorization request of a client. */
async function authorize(clientId: string, more: Record<string, string> = {}) {
  const response = await fetch(createAuthorization(origin, clientId, more).url, { redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

const send = (response: ServerResponse, document: unknown) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));

describe('a client with a metadata document', () => {
  it('signs in without a registration', async () => {
    const clientId = 'https://client.example/good.json';
    answer = (_path, response) => send(response, createDocument(clientId));
    const memory = new ClientMemory();
    memory.client = { client_id: clientId };
    expect((await signIn(`${origin}/mcp`, memory)).stored?.access_token).toBeDefined();
    expect(requested).toEqual(['/good.json']);
  });

  it('is shown with the host of its document', async () => {
    const clientId = 'https://client.example/shown.json';
    answer = (_path, response) => send(response, createDocument(clientId));
    const { page } = await openConsent(createAuthorization(origin, clientId).url);
    expect(page.html).toContain('<b>client.example</b>');
  });

  it('gets its code where the user agreed to send it, also if the document changes between two reads', async () => {
    const clientId = 'https://client.example/changing.json';
    answer = (_path, response) => send(response, createDocument(clientId));
    const { url, verifier } = createAuthorization(origin, clientId);
    const opened = await openConsent(url);
    // Another replica has not read the document yet.
    const other = await world.replica();
    const changed = createDocument(clientId, { client_name: 'Bank', redirect_uris: ['https://hostile.example/'] });
    answer = (_path, response) => send(response, changed);
    const hostile = createAuthorization(other.address, clientId, { redirect_uri: 'https://hostile.example/' });
    expect((await openConsent(hostile.url)).page.html).toContain('hostile.example');
    const redirect = await decide(opened);
    expect(redirect.href.startsWith(`${CLIENT_REDIRECT}?`)).toBe(true);
    const code = redirect.searchParams.get('code') ?? '';
    expect((await redeem(origin, { clientId, code, verifier })).status).toBe(200);
  });

  it('is asked for consent again, if the document changes while the user reads the page', async () => {
    const clientId = 'https://client.example/renamed.json';
    answer = (_path, response) => send(response, createDocument(clientId));
    const opened = await openConsent(createAuthorization(origin, clientId).url);
    const other = await world.replica();
    answer = (_path, response) => send(response, createDocument(clientId, { client_name: 'Another name' }));
    const page = { ...opened.page, url: opened.page.url.replace(origin, other.address) };
    const token = /name="form_token" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const answered = await opened.browser.submit(page.url, { form_token: token, decision: 'allow' }, CLIENT_REDIRECT);
    expect(answered.url).toBe(page.url);
    expect(answered.html).toContain('Another name');
  });
});

describe('a metadata document', () => {
  it.each([
    ['https://10.0.0.1/client.json'],
    ['https://127.0.0.1:PORT/client.json'],
    ['https://[::ffff:127.0.0.1]:PORT/client.json'],
    ['https://[::1]/client.json'],
    ['https://[::ffff:10.0.0.1]/client.json'],
    ['https://169.254.169.254/latest/meta-data'],
    ['https://100.64.0.1/client.json'],
    ['https://0x7f000001:PORT/client.json'],
    ['https://localhost:PORT/client.json'],
    ['https://client.example:2375/client.json'],
  ])('at %s is not requested', async (written) => {
    let connections = 0;
    const count = () => (connections += 1);
    documents.on('connection', count);
    const clientId = written.replace('PORT', String((documents.address() as AddressInfo).port));
    expect(await authorize(clientId)).toMatchObject({ status: 400, location: null });
    documents.off('connection', count);
    expect(connections).toBe(0);
  });

  it.each([
    ['http://client.example/client.json'],
    ['https://user@client.example/client.json'],
    ['https://client.example/client.json#fragment'],
    ['https://client.example/a/../client.json'],
    ['https://client.example/%2e%2e/client.json'],
    ['ftp://client.example/client.json'],
  ])('has no address like %s', async (clientId) => {
    expect((await authorize(clientId)).status).toBe(400);
    expect(requested).toEqual([]);
  });

  const bad: [string, (clientId: string, response: ServerResponse) => void][] = [
    ['of another client', (_id, response) => send(response, createDocument('https://client.example/other.json'))],
    ['without a client id', (_id, response) => send(response, { ...createDocument(''), client_id: undefined })],
    ['that redirects', (_id, response) => void response.writeHead(302, { location: 'https://10.0.0.1/' }).end()],
    ['that is not found', (_id, response) => void response.writeHead(404).end()],
    ['that is HTML', (_id, response) => void response.writeHead(200).end('<html></html>')],
    ['that is a list', (_id, response) => send(response, [])],
    ['that is empty', (_id, response) => void response.writeHead(200).end()],
    ['of 10 MB', (_id, response) => void response.writeHead(200).end(`{"a":"${'x'.repeat(10_000_000)}"}`)],
    ['with a secret', (id, response) => send(response, createDocument(id, { client_secret: 'secret' }))],
    [
      'with shared secrets',
      (id, response) => send(response, createDocument(id, { token_endpoint_auth_method: 'client_secret_post' })),
    ],
    [
      'with a redirect URI over http',
      (id, response) => send(response, createDocument(id, { redirect_uris: ['http://a.example/'] })),
    ],
    [
      'that ends in the middle',
      (_id, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{');
        response.destroy();
      },
    ],
    [
      'that arrives byte by byte',
      (_id, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 100);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ];
  it.each(bad)(
    '%s is refused with a page',
    async (what, serve) => {
      const clientId = `https://client.example/${what.replaceAll(' ', '-')}.json`;
      answer = (_path, response) => serve(clientId, response);
      const { status, location } = await authorize(clientId);
      expect([400, 401]).toContain(status);
      expect(location).toBeNull();
      // A redirect is not followed, and a failed request is not repeated.
      expect(requested).toHaveLength(1);
    },
    20_000,
  );
});

describe('a gateway that cannot fetch documents from the internet', () => {
  it('says on the page which address it needs, and what an administrator can do', async () => {
    const clientId = 'https://client.example/unreachable.json';
    answer = (_path, response) => response.destroy();
    const { status, text } = await authorize(clientId);
    expect(status).toBe(400);
    expect(text).toContain(`described by a document at ${clientId}`);
    expect(text).toContain('CLIENT_METADATA_DOCUMENTS=false');
    expect(world.logged).toContainEqual(expect.objectContaining({ clientId }));
  });

  it('does not offer them, so that a client registers itself', async () => {
    world.hasMetadataDocuments = false;
    const { address } = await world.replica();
    world.hasMetadataDocuments = true;
    const metadata = await fetch(`${address}/.well-known/oauth-authorization-server`).then((one) => one.json());
    expect(metadata).toHaveProperty('registration_endpoint');
    expect(metadata).not.toHaveProperty('client_id_metadata_document_supported');
    const { url } = createAuthorization(address, 'https://client.example/good.json');
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(400);
    expect(requested).toEqual([]);
  });
});

describe('a flood of authorizations', () => {
  it('from one address is refused with a page and stores nothing more', async () => {
    const { address } = await world.replica();
    const { url } = createAuthorization(address, await registerClient(origin));
    const responses = await Promise.all(Array.from({ length: 320 }, () => fetch(url, { redirect: 'manual' })));
    const statuses = responses.map(({ status }) => status);
    await Promise.all(responses.map((response) => response.text()));
    expect(statuses.filter((status) => status === 303)).toHaveLength(300);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  }, 60_000);
});

describe('a flood of registrations', () => {
  it('from one address is refused with the time of the next try, over all replicas', async () => {
    const replicas = [await world.replica(), await world.replica()];
    await world.sql('DELETE FROM registration_counts');
    const answers = await Promise.all(Array.from({ length: 90 }, (_, at) => register(replicas[at % 2]!.address)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(60);
    expect(refused).toHaveLength(30);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    await world.sql("UPDATE registration_counts SET window_started_at = window_started_at - interval '1 minute'");
    expect((await register(replicas[0]!.address)).status).toBe(201);
  });

  it('removes unused clients only', async () => {
    const clients = await world.sql<{ id: string }>("SELECT id FROM oidc_payloads WHERE model = 'Client'");
    expect(clients.length).toBeGreaterThanOrEqual(30);
    const { payloads } = await world.replica();
    await world.sql(
      "UPDATE oidc_payloads SET expires_at = now() + interval '60 days' WHERE model = 'Client' AND id = $1",
      [clients[0]?.id],
    );
    for (let at = 1; at < clients.length; at += 1) expect(await payloads.makeRoomForClient(1)).toBe(true);
    expect(await payloads.makeRoomForClient(1)).toBe(false);
    expect(await world.sql("SELECT id FROM oidc_payloads WHERE model = 'Client'")).toEqual([clients[0]]);
  });
});
