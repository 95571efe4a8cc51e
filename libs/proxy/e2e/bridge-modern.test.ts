import { describe, expect, it } from '@jest/globals';
import { waitForCalls, startBridge } from './bridged.ts';
import { abortAtEnd, readEvents, waitUntil, post, RawClient } from './harness.ts';
import type { Message } from './harness.ts';

describe('the modern era', () => {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = (url: string, method: string, params: Record<string, unknown> = {}, signal?: AbortSignal) =>
    post(
      url,
      {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params, _meta: { ...envelope, ...(params['_meta'] as object | undefined) } },
      },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
      },
      signal,
    );

  it.each([[[]], [['--modern']]])('is served by a server of either era: %p', async (flags) => {
    const { url } = await startBridge({}, ...flags);
    const discovered = (await (await modern(url, 'server/discover')).json()) as Message;
    expect(discovered.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'scripted' } },
    });
    const response = await modern(url, 'tools/call', { name: 'echo', arguments: { message: 'hi' } });
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { resultType: 'complete', content: [{ text: 'hi' }] },
    });
    expect((await modern(url, 'ping')).status).toBe(404);
  });

  it('is chosen for a server of both eras, also when it starts slowly', async () => {
    const identify = async (...flags: string[]) => {
      const { url } = await startBridge({}, '--slow', ...flags);
      const response = (await (await modern(url, 'tools/call', { name: 'identity' })).json()) as Message;
      return JSON.parse(response.result!.content![0]!.text) as { client?: object };
    };
    const [both, legacy] = await Promise.all([identify('--either'), identify()]);
    expect([both.client, legacy.client]).toEqual([undefined, expect.objectContaining({ capabilities: {} })]);
  });

  it.each([[[]], [['--modern']]])('cancels by closing the stream: %p', async (flags) => {
    const { url } = await startBridge({}, ...flags);
    const tool = async (name: string) => {
      const response = (await (await modern(url, 'tools/call', { name })).json()) as Message;
      return response.result!.content![0]!.text;
    };
    const controller = new AbortController();
    const gone = modern(url, 'tools/call', { name: 'wait', arguments: { ms: 60_000 } }, controller.signal);
    await waitForCalls(() => tool('begun'), 1);
    controller.abort();
    await expect(gone).rejects.toThrow();
    const cancelled = async () => JSON.parse(await tool('cancellations')) as number[];
    await waitUntil(cancelled, (ids) => ids.length === 1);
  });

  it.each([[[]], [['--modern']]])('delivers changes under the id of its own subscription: %p', async (flags) => {
    const { url } = await startBridge({}, ...flags);
    const controller = new AbortController();
    abortAtEnd(controller);
    const stream = readEvents(
      await modern(url, 'subscriptions/listen', { notifications: { toolsListChanged: true } }, controller.signal),
    );
    const mark = { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } };
    const acknowledged = {
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, ...mark },
    };
    expect((await stream.next()).value?.message).toMatchObject(acknowledged);
    if (flags.length === 0) await (await modern(url, 'tools/call', { name: 'change' })).json();
    expect((await stream.next()).value?.message).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: mark,
    });
  });

  it('refuses headers that contradict the body', async () => {
    const { url, children } = await startBridge();
    const message = { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'die', _meta: envelope } };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
    const response = await post(url, message, headers);
    expect([response.status, await response.json()]).toMatchObject([400, { id: 9, error: { code: -32020 } }]);
    expect(children).toHaveLength(0);
  });

  it('has no GET streams and no sessions', async () => {
    const { url } = await startBridge();
    const headers = { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' };
    for (const method of ['GET', 'DELETE']) expect((await fetch(url, { method, headers })).status).toBe(405);
  });

  it('is translated for a legacy client of a modern server', async () => {
    const { url } = await startBridge({}, '--modern');
    const client = await RawClient.open(url);
    expect(await client.callTool('echo', { message: 'hi' })).toBe('hi');
    expect(await client.request('ping')).toEqual([{ jsonrpc: '2.0', id: expect.anything(), result: {} }]);
    const [listed] = await client.request('tools/list');
    expect(listed!.result).not.toHaveProperty('resultType');
    expect((await readEvents(await client.listen()).next()).value?.message).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: {},
    });
  });
});
