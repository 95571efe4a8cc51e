import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, Gatehouse } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

interface Session {
  id: string;
  subject: string;
  client_name: string;
}

const SESSIONS = ['admin', 'gateways', 'sessions'];
let platform: LocalPlatform;
let endpoint: string;
let control: string;
let token: string;
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
  const { urls } = JSON.parse(readFileSync(join(platform.gatehouse.home, 'platform.json'), 'utf8')) as {
    urls: Record<string, string>;
  };
  endpoint = `${urls['connector_gateway']}/mcp`;
  control = urls['connector_gateway_control']!;
  token = (await platform.gatehouse.call(['token', '--user', 'alice'])).stdout.trim();
});
afterAll(() => platform.stop());

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call([...SESSIONS, ...args]);
const list = (...args: string[]) => platform.gatehouse.json<Session[]>(...SESSIONS, 'list', ...args);

/** Begins a session as alice. @returns the id that the client uses */
async function begin(): Promise<string> {
  const response = await send('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'tests', version: '7' },
  });
  return response.headers.get('mcp-session-id') ?? '';
}

const send = (method: string, params: object, session?: string): Promise<Response> =>
  fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });

describe('gatehouse admin gateways sessions', () => {
  it('lists the sessions of a user and ends one of them', async () => {
    expect((await call('list')).stderr).toBe('No sessions\n');
    const secret = await begin();
    const [session, ...others] = await list('--user', 'alice');
    expect([session!.client_name, others]).toEqual(['tests', []]);
    expect(await list('--user', 'bob')).toEqual([]);
    const { stdout } = await call('list');
    expect(stdout).toMatch(/^ID +SUBJECT +CLIENT +MCP +CONNECTOR +MODE +CREATED +LAST USED$/m);
    expect(stdout).toMatch(/tests 7 +2025-11-25 +all/);
    expect(stdout).not.toContain(secret);
    const { code, stderr } = await call('end', session!.id, '--yes');
    expect([code, stderr]).toEqual([0, `Session ${session!.id} has ended\n`]);
    expect((await send('ping', {}, secret)).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  it('refuses an unknown session, text that is no id, and an unknown gateway', async () => {
    const unknown = await call('end', '00000000-0000-4000-8000-000000000000', '--yes');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('there is no such session')]);
    expect(unknown.stderr).toContain('gatehouse admin gateways sessions list');
    expect((await call('end', 'garbage', '--yes')).stderr).toContain('must be a UUID');
    const elsewhere = await call('list', '--gateway', 'elsewhere');
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('GATEHOUSE_CONNECTOR_GATEWAY_URL')]);
  });

  it('needs no enterprise manager if the gateway and a token are given', async () => {
    const elsewhere = new Gatehouse();
    const env = {
      GATEHOUSE_CONNECTOR_GATEWAY_URL: control,
      GATEHOUSE_TOKEN: (await platform.gatehouse.call(['token', '--user', 'admin'])).stdout.trim(),
    };
    expect(await elsewhere.call([...SESSIONS, 'list'], env)).toMatchObject({ code: 0, stderr: 'No sessions\n' });
    const withoutToken = await elsewhere.call([...SESSIONS, 'list'], { GATEHOUSE_CONNECTOR_GATEWAY_URL: control });
    expect([withoutToken.code, withoutToken.stderr]).toEqual([
      2,
      expect.stringContaining('enterprise manager is missing'),
    ]);
  });

  it('refuses a user who is no administrator', async () => {
    const { code, stderr } = await platform.gatehouse.call([...SESSIONS, 'list'], { GATEHOUSE_TOKEN: token });
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('caller is not a directory admin')]);
  });
});
