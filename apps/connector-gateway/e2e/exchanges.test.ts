import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { dumpDatabase } from './support/dump.ts';
import { EXCHANGE_KINDS, type ExchangeKind, type ExchangeScene, ExchangeWorld } from './support/exchange-world.ts';
import { type Gateway, MODERN } from './support/world.ts';

const CLAIMS = { groups: ['readers'] };

let exchanges: ExchangeWorld;
let gateway: Gateway;
const scenes = new Map<ExchangeKind, ExchangeScene>();
const lines: string[] = [];
/** The tokens of the callers so far. */
const tokens: string[] = [];

beforeAll(async () => {
  exchanges = await ExchangeWorld.start();
  for (const kind of EXCHANGE_KINDS) scenes.set(kind, await exchanges.add(kind));
  gateway = await exchanges.world.gateway(
    { LOG_LEVEL: 'debug', AWS_ENDPOINT_URL_STS: scenes.get('awsSts')!.provider.origin },
    { write: (line) => lines.push(line) },
  );
}, 60_000);
afterAll(() => exchanges.close());

async function createToken(subject: string): Promise<string> {
  const token = await exchanges.world.token(subject, CLAIMS);
  tokens.push(token);
  return token;
}

async function connect(kind: ExchangeKind, subject: string, options = {}): Promise<Client> {
  const { connector } = scenes.get(kind)!;
  return exchanges.world.client(`${gateway.url}/mcp/${connector.slug}`, await createToken(subject), options);
}

const callEcho = (client: Client, kind: ExchangeKind) =>
  client.callTool({ name: scenes.get(kind)!.upstream.tools.echo, arguments: { text: 'hello' } });

describe.each(EXCHANGE_KINDS)('A connector with %s', (kind) => {
  it.each([
    ['2025-11-25', {}],
    ['2026-07-28', MODERN],
  ])('calls its server with the exchanged credential for a client of %s', async (_, options) => {
    const { guard, issuer } = scenes.get(kind)!;
    const client = await connect(kind, 'alice', options);
    expect(await callEcho(client, kind)).toMatchObject({ content: [{ text: 'hello' }] });
    expect(guard.faults).toEqual([]);
    expect([...issuer.issued.values()].map(({ subject }) => subject)).not.toContain('bob');
  });

  it('makes one exchange for concurrent calls of a person', async () => {
    const { provider } = scenes.get(kind)!;
    const client = await connect(kind, 'bob');
    expect(await callEcho(client, kind)).toMatchObject({ content: [{ text: 'hello' }] });
    const before = provider.requests.length;
    await Promise.all(Array.from({ length: 20 }, () => callEcho(client, kind)));
    expect(provider.requests.length).toBe(before);
  });

  it('renews a credential that its server refuses once', async () => {
    const { issuer, provider, guard } = scenes.get(kind)!;
    const client = await connect(kind, 'alice');
    await callEcho(client, kind);
    issuer.revokeAll();
    const before = provider.requests.length;
    expect(await callEcho(client, kind)).toMatchObject({ content: [{ text: 'hello' }] });
    expect(provider.requests.length).toBe(before + 1);
    // A server that refuses every credential gets no further exchange.
    issuer.revokeAll();
    const refused = await callEcho(client, kind);
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused)).toContain(scenes.get(kind)!.connector.name);
    expect(provider.requests.length).toBe(before + 1);
    guard.faults.length = 0;
  });
});

describe('The token of a caller', () => {
  it('reaches the token endpoint of the provider and nothing else', async () => {
    expect(tokens.length).toBeGreaterThan(10);
    const dump = await dumpDatabase(exchanges.world.database.url);
    for (const token of tokens) {
      const [, , signature = ''] = token.split('.');
      for (const { guard, issuer, provider } of scenes.values()) {
        expect(JSON.stringify(guard.requests)).not.toContain(signature);
        if (issuer !== provider)
          expect(issuer.requests.map(({ form }) => form.toString()).join()).not.toContain(signature);
      }
      expect(lines.join()).not.toContain(signature);
      expect(dump).not.toContain(signature);
    }
  });

  it('is exchanged for credentials that are in no log and no table', async () => {
    const dump = await dumpDatabase(exchanges.world.database.url);
    for (const { issuer, provider } of scenes.values())
      for (const server of new Set([issuer, provider]))
        for (const [id, { secretAccessKey = id, sessionToken = id }] of server.issued)
          for (const text of [secretAccessKey, sessionToken]) {
            expect(lines.join()).not.toContain(text);
            expect(dump).not.toContain(text);
          }
  });
});
