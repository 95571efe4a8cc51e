import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostileWorld } from './support/hostile-world.ts';
import type { Script, ScriptedServer } from './support/scripted.ts';
import { verifies } from './support/verifies.ts';
import { eventually } from './support/world.ts';

let hostileWorld: HostileWorld;

beforeAll(async () => {
  hostileWorld = await HostileWorld.start();
});
afterAll(() => hostileWorld.close());

async function upstream(slug: string, scripts: Record<string, Script>): Promise<ScriptedServer> {
  const { server } = await hostileWorld.add(slug, scripts);
  await eventually(() => (server.seen.has('tools/list') ? true : list().then(() => undefined)), `${slug} is asked`);
  return server;
}

const list = (): Promise<string[]> => hostileWorld.listTools();

/** Sends a result as text. */
const sends =
  (result: string, asEvent = false): Script =>
  ({ id }, response) => {
    const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
    response
      .writeHead(200, { 'content-type': asEvent ? 'text/event-stream' : 'application/json' })
      .end(asEvent ? `data: ${text}\n\n` : text);
  };

const tools = (count: number): string =>
  `{"tools":[${Array.from({ length: count }, (_, at) => `{"name":"t${at}","inputSchema":{"type":"object"}}`).join()}]}`;
const objects = (count: number): string => `[${'{},'.repeat(count)}{}]`;

describe('a large list of an upstream', () => {
  verifies(['upstream:contained'], 'is cut to 2,000 of 60,000 tools', async () => {
    await upstream('many', { 'tools/list': sends(tools(60_000)) });
    const names = await eventually(async () => {
      const found = (await list()).filter((name) => name.startsWith('many__'));
      return found.length > 0 ? found : undefined;
    }, 'the list is there');
    expect(names).toHaveLength(2_000);
  });

  verifies(['upstream:contained'], 'loses only an entry of millions of values', async () => {
    const bomb = `{"name":"bomb","inputSchema":{"type":"object","x":${objects(2_000_000)}}}`;
    const plain = `{"name":"plain","inputSchema":{"type":"object"}}`;
    await upstream('bomb', { 'tools/list': sends(`{"tools":[${bomb},${plain}]}`, true) });
    const names = await eventually(async () => {
      const found = (await list()).filter((name) => name.startsWith('bomb__'));
      return found.length > 0 ? found : undefined;
    }, 'the list is there');
    expect(names).toEqual(['bomb__plain']);
  });

  verifies(['upstream:contained'], 'is not fetched again at once when it exceeds the limits', async () => {
    const server = await upstream('refused', { 'tools/list': sends(`{"tools":[],"x":${objects(3_000_000)}}`) });
    await eventually(async () => {
      const { json } = await hostileWorld.call('refused__x');
      return JSON.stringify(json).includes('answered with more than') ? true : undefined;
    }, 'the reason is known');
    const requestsBefore = server.seen.get('tools/list');
    await sleep(6_000);
    await list();
    expect(server.seen.get('tools/list')).toBe(requestsBefore);
  });
});

describe('a large result of an upstream', () => {
  it.each<[string, string, string]>([
    ['values', 'more than 50000 values', `{"content":[],"structuredContent":{"x":${objects(1_000_000)}}}`],
    ['bytes', 'more than 4194304 bytes', `{"content":[{"type":"text","text":"${'x'.repeat(5_000_000)}"}]}`],
    [
      'content',
      'more than 500 items of content',
      `{"content":[${Array(501).fill('{"type":"text","text":"x"}').join()}]}`,
    ],
    [
      'members',
      'more than 5000 members in one object',
      `{"content":[],"_meta":{${Array.from({ length: 6_000 }, (_, at) => `"k${at}":1`).join()}}}`,
    ],
  ])('is an error of the call with the exceeded limit (%s)', async (slug, reason, result) => {
    for (const asEvent of [false, true]) {
      const name = `${slug}-${asEvent ? 'event' : 'plain'}`;
      await upstream(name, { 'tools/call': sends(result, asEvent) });
      const { json } = await eventually(async () => {
        const response = await hostileWorld.call(`${name}__only`);
        return response.json.result ? response : undefined;
      }, 'the call is answered');
      expect(json.result).toMatchObject({ isError: true });
      expect(JSON.stringify(json.result)).toContain(reason);
    }
  });

  it('is complete within the limits', async () => {
    const text = 'x'.repeat(3_000_000);
    await upstream('large', { 'tools/call': sends(`{"content":[{"type":"text","text":"${text}"}]}`) });
    const response = await hostileWorld.call('large__only');
    expect((response.json.result?.['content'] as { text: string }[])[0]?.text).toBe(text);
  });
});
