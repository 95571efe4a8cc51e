/** The sign-in to remote servers, with a real issuer and a real MCP server behind it. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Gatehouse, type Shown } from './gatehouse.ts';
import { addressIn } from './local-platform.ts';
import { ProtectedServer } from './protected-server.ts';

jest.setTimeout(120_000);

const ENVIRONMENT = { DOCKER_HOST: 'unix:///nowhere/docker.sock', GATEHOUSE_SECRETS_PASSWORD: 'password' };

const PARAMS = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

describe('The sign-in to a remote server', () => {
  let gatehouse: Gatehouse;
  let server: ProtectedServer;
  beforeEach(async () => {
    gatehouse = new Gatehouse();
    server = await ProtectedServer.start();
    expect(await call('secret', 'setup')).toMatchObject({ code: 0 });
  });
  afterEach(async () => {
    await gatehouse.close();
    await server.close();
  });
  const call = (...args: string[]) => gatehouse.call(args, ENVIRONMENT);
  const read = async (...args: string[]) => JSON.parse((await call(...args, '--json')).stdout) as Shown;
  /** Runs a command, and signs in at the address that it prints. */
  const signIn = async (...args: string[]) => {
    const running = gatehouse.begin(args, ENVIRONMENT);
    const address = new URL(await addressIn(running));
    const page = await fetch(address);
    return { address, page: await page.text(), ...(await running.ended) };
  };
  const post = async (url: string, message: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const initialize = (url: string) => post(url, { method: 'initialize', params: PARAMS });
  const countRegistrations = () => server.issuer.authorization.clients.length;
  const run = ['run', '--remote-auth', '--remote-auth-skip-browser', '--name', 'far', '--json'];

  it('happens once: its session outlives refused tokens, a killed proxy, a stop and a start', async () => {
    const started = await signIn(...run, server.url);
    expect(started).toMatchObject({ code: 0, page: expect.stringContaining('Signed in') });
    expect(Object.fromEntries(started.address.searchParams)).toMatchObject({
      response_type: 'code',
      resource: server.url,
      scope: 'tools',
      code_challenge_method: 'S256',
      redirect_uri: expect.stringMatching(/^http:\/\/localhost:\d+\/callback$/),
    });
    const { url } = JSON.parse(started.stdout) as Shown;
    expect(await initialize(url)).toMatchObject({
      status: 200,
      text: expect.stringContaining(server.upstream.serverName),
    });

    server.refuseUsedTokens();
    const answers = await Promise.all(Array.from({ length: 8 }, () => initialize(url)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(server.countGrants('refresh_token')).toBe(1);

    process.kill(gatehouse.supervisor('far'), 'SIGKILL');
    await call('list');
    await gatehouse.until('far', 'running');
    server.refuseUsedTokens();
    expect(await initialize(url)).toMatchObject({ status: 200 });
    await call('stop', 'far');
    expect(await call('start', 'far')).toMatchObject({ code: 0 });
    expect(await initialize(url)).toMatchObject({ status: 200 });
    expect(server.countGrants('authorization_code')).toBe(1);

    const files = readFiles(gatehouse.home);
    const { stdout: exported } = await call('export', 'far');
    for (const header of new Set(server.seen))
      if (header !== undefined) expect(`${files}${exported}`).not.toContain(header.slice('Bearer '.length));
    expect(JSON.parse(exported)).toMatchObject({ remote_auth_config: { use_pkce: true, skip_browser: true } });

    const { authorization } = server.issuer;
    const last = server.seen.at(-1)?.slice('Bearer '.length) ?? '';
    expect(await call('rm', 'far', '--yes')).toMatchObject({ code: 0, stderr: expect.not.stringContaining('revoked') });
    const revoked = authorization.requests.find(({ path }) => path === '/revoke');
    expect(Object.fromEntries(revoked?.parameters ?? [])).toMatchObject({ token_type_hint: 'refresh_token' });
    expect(revoked?.parameters.get('token')).not.toBe(last);
  });

  it('is asked for again after the issuer ended the session, and after the removal, then by the name of the registry', async () => {
    const { url } = JSON.parse((await signIn(...run, server.url)).stdout) as Shown;
    server.issuer.authorization.revokeAll();
    expect(await initialize(url)).toMatchObject({ status: 503, text: expect.stringContaining('is not signed in') });
    expect(await gatehouse.until('far', 'unhealthy')).toMatchObject({
      status_context: expect.stringContaining('gatehouse start far signs in again'),
    });
    expect(await signIn('start', 'far')).toMatchObject({ code: 0 });
    expect(await initialize(url)).toMatchObject({ status: 200 });
    expect(countRegistrations()).toBe(1);
    server.issuer.authorization.revokeAll();
    await call('stop', 'far');
    expect(await call('start', '--all', '--stopped')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('gatehouse start far   signs in'),
    });
    server.issuer.authorization.isRevocationDown = true;
    const removed = await call('rm', 'far', '--yes');
    expect(removed).toMatchObject({ code: 0, stderr: expect.stringContaining('has not revoked them') });

    const remotes = [{ type: 'streamable-http', url: server.url, headers: [{ name: 'X-Region', value: 'eu' }] }];
    const oauth = { oauth_config: { scopes: ['of-the-registry'], oauth_params: { prompt: 'consent' } } };
    const extension = {
      'io.modelcontextprotocol.registry/publisher-provided': { 'io.github.stacklok': { [server.url]: oauth } },
    };
    const entry = { name: 'com.example/far', description: 'x', version: '1', remotes, _meta: extension };
    const document = { version: '1', meta: { last_updated: '2026-11-26T00:00:00Z' }, data: { servers: [entry] } };
    writeFileSync(join(gatehouse.home, 'registry.json'), JSON.stringify(document));
    expect(await call('registry', 'set', join(gatehouse.home, 'registry.json'))).toMatchObject({ code: 0 });
    const named = await signIn(...run, 'com.example/far');
    expect(named).toMatchObject({ code: 0 });
    expect(Object.fromEntries(named.address.searchParams)).toMatchObject({
      scope: 'of-the-registry',
      prompt: 'consent',
    });
    const { stdout: exported } = await call('export', 'far');
    expect(JSON.parse(exported)).toMatchObject({
      registry_server_name: 'com.example/far',
      header_forward: { add_headers_from_secret: { 'X-Region': 'HEADER_X-Region_far' } },
    });
    expect(countRegistrations()).toBe(2);
  });

  it('is asked for again with the scopes that a request has missed, and works without them', async () => {
    const { url } = JSON.parse((await signIn(...run, server.url)).stdout) as Shown;
    const list = async () => {
      const session = (await initialize(url)).headers.get('mcp-session-id');
      return post(url, { method: 'tools/list' }, session === null ? {} : { 'mcp-session-id': session });
    };
    expect(await list()).toMatchObject({ status: 200 });
    server.demandedScope = 'write';
    const refused = await list();
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, null]);
    expect(JSON.parse(refused.text)).toMatchObject({
      ...{ id: 1, error: { message: expect.stringContaining('needs the scope write for this request.') } },
    });
    expect(refused.text).toContain('gatehouse start far');
    expect(await initialize(url)).toMatchObject({ status: 200 });
    expect(await gatehouse.until('far', 'unhealthy')).toMatchObject({
      status_context: expect.stringContaining('some requests need the scopes write; gatehouse start far signs in'),
    });
    expect(await call('start', '--all')).toMatchObject({ code: 0 });
    expect(await initialize(url)).toMatchObject({ status: 200 });
    await list();
    await gatehouse.until('far', 'unhealthy');
    server.issuer.authorization.denyWith = { error: 'access_denied' };
    expect(await signIn('start', 'far')).toMatchObject({ code: 0, stderr: expect.stringContaining('goes on with') });
    expect(await initialize(url)).toMatchObject({ status: 200 });
    server.issuer.authorization.denyWith = undefined;
    await list();
    await gatehouse.until('far', 'unhealthy');
    const again = await signIn('start', 'far');
    expect([again.code, again.address.searchParams.get('scope')]).toEqual([0, 'tools write']);
    expect(await list()).toMatchObject({ status: 200 });
    expect(countRegistrations()).toBe(1);
  });

  it('fails with a reason, and leaves nothing: refused, late, mixed up, and without --remote-auth', async () => {
    const { authorization } = server.issuer;
    expect(await call('run', server.url)).toMatchObject({ code: 1, stderr: expect.stringContaining('--remote-auth ') });
    const late = await call(...run, server.url, '--remote-auth-timeout', '50ms');
    expect(late).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The sign-in for far was not completed within 0.05 s'),
    });
    authorization.denyWith = { error: 'access_denied' };
    expect(await signIn(...run, server.url)).toMatchObject({ code: 1, page: expect.stringContaining('Not signed in') });
    authorization.denyWith = undefined;
    authorization.changeRedirect = (parameters) => parameters.set('iss', 'https://other.example');
    expect(await signIn(...run, server.url)).toMatchObject({ code: 1, stderr: expect.stringContaining('issuer') });
    authorization.changeRedirect = () => undefined;

    const first = gatehouse.begin([...run, server.url], ENVIRONMENT);
    const address = await addressIn(first);
    expect(await call(...run, server.url)).toMatchObject({ code: 4 });
    const redirect = (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '';
    const forged = new URL(redirect);
    forged.searchParams.set('state', 'forged');
    expect((await fetch(forged)).status).toBe(400);
    expect(server.countGrants('authorization_code')).toBe(0);
    const [one, two] = await Promise.all([fetch(redirect), fetch(redirect)]);
    expect([one.status, two.status].toSorted()).toEqual([200, 400]);
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(await read('status', 'far')).toMatchObject({ status: 'running' });
  });
});

const readFiles = (folder: string): string =>
  (readdirSync(folder, { recursive: true }) as string[])
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
