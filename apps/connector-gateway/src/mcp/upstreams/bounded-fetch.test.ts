import { describe, expect, it } from '@jest/globals';
import { DEFAULT_RESPONSE_LIMITS } from '@gatehouse/mcp/response-limits';
import { createBoundedFetch, runInExchange } from './bounded-fetch.ts';

const LIMITS = { ...DEFAULT_RESPONSE_LIMITS, receivedBytes: 100 };

const answering = (chunks: readonly string[], contentType: string) =>
  createBoundedFetch(
    () => Promise.resolve(new Response(new Blob([...chunks]).stream(), { headers: { 'content-type': contentType } })),
    LIMITS,
  );

describe('createBoundedFetch', () => {
  it('refuses a plain response that is too large', async () => {
    const fetch = answering(['x'.repeat(60), 'x'.repeat(60)], 'application/json');
    await expect(fetch('http://upstream.test')).rejects.toThrow('more than 100 bytes');
  });

  it('allows an endless event stream of small events', async () => {
    const events = Array.from({ length: 50 }, () => 'data: {"some":"thing"}\n\n');
    const response = await answering(events, 'text/event-stream')('http://upstream.test');
    expect(await response.text()).toBe(events.join(''));
  });

  it('ends a stream at a large event, with any division into lines', async () => {
    const lines = Array.from({ length: 10 }, () => 'data: 0123456789\r\n');
    const response = await answering(lines, 'text/event-stream')('http://upstream.test');
    await expect(response.text()).rejects.toThrow('more than 100 bytes');
  });
});

describe('runInExchange', () => {
  const bounds = { receivedBytes: 50, parsedBytes: 50 };

  it('ends when all responses together are too large', async () => {
    const fetch = answering(['{"page":"0123456789"}'], 'application/json');
    const pages = runInExchange(bounds, async () => {
      for (;;) await (await fetch('http://upstream.test')).text();
    });
    await expect(pages).rejects.toThrow('more than 50 bytes on all pages together');
  });

  it('ends with the reason when an event is too large, while its client waits', async () => {
    const deep = `data: ${'['.repeat(60)}${']'.repeat(60)}\n\n`;
    const fetch = createBoundedFetch(
      () =>
        Promise.resolve(new Response(new Blob([deep]).stream(), { headers: { 'content-type': 'text/event-stream' } })),
      { ...DEFAULT_RESPONSE_LIMITS, json: { ...DEFAULT_RESPONSE_LIMITS.json, depth: 50 } },
    );
    const waiting = runInExchange({ receivedBytes: Infinity, parsedBytes: Infinity }, async () => {
      const response = await fetch('http://upstream.test');
      await response.text().catch(() => new Promise(() => undefined));
    });
    await expect(waiting).rejects.toThrow('answered with more than 50 levels');
  });
});
