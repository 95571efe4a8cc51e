import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Gatehouse, type Ended } from './gatehouse.ts';
import { ScriptedEditors } from './scripted-editor.ts';

const policy = (name: string, version = '1', description = 'old') => ({
  apiVersion: 'gatehouse.dev/v1alpha1',
  kind: 'AIPolicy',
  metadata: { name, uid: 'u', resourceVersion: version },
  spec: { gatewayRef: { name: 'local' }, description, principalMatchers: [{ claims: { groups: 'a' } }] },
});

/** The answer of the imitated service. */
interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}
const refuse = (status: number, error: string): Reply => ({
  status,
  body: { error, requestId: 'r-1', violations: [] },
});
const found = (document: ReturnType<typeof policy>): Reply => ({
  status: 200,
  body: document,
  headers: { etag: `"${document.metadata.resourceVersion}"` },
});

const gatehouse = new Gatehouse();
const editors = new ScriptedEditors();
let server: Server;
let url: string;
let reply: (request: IncomingMessage) => Reply;

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { status, body, headers } = reply(request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  editors.remove();
  rmSync(gatehouse.home, { recursive: true, force: true });
});
afterEach(() => expect(editors.takeKeptTexts()).toEqual([]));

const call = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  gatehouse.call([...args, '--management-url', url], { GATEHOUSE_TOKEN: 'token', ...env });

describe('a list in pages', () => {
  const pages: Record<string, { items: object[]; nextPageToken?: string }> = {
    first: { items: [], nextPageToken: 'second' },
    second: { items: [policy('a'), policy('b')], nextPageToken: 'third' },
    third: { items: [], nextPageToken: 'fourth' },
    fourth: { items: [policy('c')], nextPageToken: '' },
  };
  const list = async (...args: string[]): Promise<{ names: string[]; stderr: string }> => {
    reply = ({ url: path = '' }) => {
      const token = new URL(path, url).searchParams.get('pageToken') ?? 'first';
      return { status: 200, body: { apiVersion: 'gatehouse.dev/v1alpha1', kind: 'AIPolicyList', ...pages[token] } };
    };
    const { code, stdout, stderr } = await call(['admin', 'ai-policies', 'list', '--json', ...args]);
    expect(code).toBe(0);
    const items = JSON.parse(stdout) as ReturnType<typeof policy>[];
    return { names: items.map(({ metadata }) => metadata.name), stderr };
  };

  it('is read to its end, also where a page is empty', async () => {
    expect(await list('--gateway', 'local')).toEqual({ names: ['a', 'b', 'c'], stderr: '' });
    expect((await list('--all')).names).toEqual(['a', 'b', 'c']);
  });

  it('says that there is more than the limit', async () => {
    for (const filter of [[], ['--gateway', 'local']]) {
      const { names, stderr } = await list('--limit', '1', ...filter);
      expect(names.slice(0, 1)).toEqual(['a']);
      expect(stderr).toContain('--all shows all');
    }
  });
});

describe('a failure of the service', () => {
  it.each<[Reply, number, string]>([
    [refuse(500, 'internal'), 1, 'failed unexpectedly (request id r-1)'],
    [{ ...refuse(503, 'upstream_unavailable'), headers: { 'retry-after': '9' } }, 1, 'try again in 9 s'],
    [refuse(429, 'rate_limited'), 1, 'You sent too many requests'],
    [refuse(401, 'unauthenticated'), 1, 'does not accept the access token of GATEHOUSE_TOKEN'],
    [{ status: 502, body: '<html>' }, 1, 'failed unexpectedly'],
    [{ status: 200, body: '<html>' }, 1, 'does not answer like AI gateway management'],
    [{ status: 200, body: {} }, 1, 'does not answer like AI gateway management'],
    [{ status: 200, body: { metadata: {}, spec: {} } }, 1, 'does not answer like AI gateway management'],
    [{ status: 200, body: { ...policy('a'), status: { conditions: [1] } } }, 1, 'does not answer like AI gateway'],
    [{ status: 404, body: 'not here' }, 1, 'does not answer like AI gateway management'],
    [{ status: 302, headers: { location: 'https://evil.test/' } }, 1, 'cannot be reached'],
  ])('%j: exit code %d', async (answer, exit, sentence) => {
    reply = () => answer;
    const { code, stdout, stderr } = await call(['admin', 'ai-policies', 'show', 'a']);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toContain(sentence);
  });

  it('has its request id in the output of --debug', async () => {
    reply = () => refuse(403, 'forbidden');
    const { code, stderr } = await call(['models', '--debug']);
    expect(code).toBe(5);
    expect(stderr).toContain('request id r-1');
  });
});

describe('an edit', () => {
  /** Edits the policy while the service answers patches like this. */
  const edit = async (script: string, patched: () => Reply, read = () => policy('a')): Promise<Ended> => {
    reply = ({ method }) => (method === 'PATCH' ? patched() : found(read()));
    return call(['admin', 'ai-policies', 'edit', 'a'], editors.create(script));
  };
  const CHANGE = `sed -i 's/old/new/' "$1"`;

  it.each([
    [refuse(500, 'internal'), 1],
    [refuse(404, 'not_found'), 1],
    [refuse(401, 'unauthenticated'), 1],
    [refuse(403, 'forbidden'), 5],
  ])('keeps the text after the failure %j', async (answer, exit) => {
    const { code, stderr } = await edit(CHANGE, () => answer);
    expect(code).toBe(exit);
    expect(stderr).toMatch(/^Your text is kept in \/.*gatehouse-edit-.*\/policy\.yaml$/m);
    expect(editors.takeKeptTexts()).toEqual([expect.stringContaining('description: new')]);
  });

  it('is sent again when only the status of the policy changed', async () => {
    const states = ['1', '2', '3'];
    let at = 0;
    const patched = () => {
      at += 1;
      return at < states.length ? refuse(412, 'precondition_failed') : found(policy('a', '4', 'new'));
    };
    const { code, stderr } = await edit(CHANGE, patched, () => policy('a', states[at]));
    expect([code, stderr]).toEqual([0, 'The AI policy a is changed: description\n']);
    expect(at).toBe(3);
  });

  it('ends when the policy never keeps its version', async () => {
    let version = 1;
    const { code } = await edit(
      CHANGE,
      () => refuse(412, 'precondition_failed'),
      () => policy('a', `${(version += 1)}`),
    );
    expect(code).toBe(4);
    expect(editors.takeKeptTexts()).toHaveLength(1);
  });

  it('keeps a text that is not UTF-8', async () => {
    const { code, stderr } = await edit(String.raw`printf 'description: \377\n' > "$1"`, () => refuse(500, 'internal'));
    expect(code).toBe(1);
    expect(stderr).toContain('cannot be read: it is not UTF-8 text');
    expect(editors.takeKeptTexts()).toHaveLength(1);
  });

  it('sends nothing when the editor removes the file, empties it or fails', async () => {
    const patched = () => refuse(500, 'internal');
    expect((await edit('rm "$1"', patched)).stderr).toContain('cannot be read');
    expect((await edit(': > "$1"', patched)).stderr).toContain('is unchanged');
    expect((await edit('exit 3', patched)).stderr).toContain('ended with exit code 3; nothing was sent');
    expect((await edit(`${CHANGE}; exit 3`, patched)).stderr).toContain('Your text is kept in');
    expect(editors.takeKeptTexts()).toEqual([expect.stringContaining('description: new')]);
    expect((await edit('kill -9 $$', patched)).code).toBe(1);
  });
});
