import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { call, settings, start } from './things.ts';

/** A collector of OTLP over HTTP that keeps the received JSON. */
const received: { path: string; body: unknown }[] = [];
const collector = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}
interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
}

const all = <T>(path: string, ...keys: string[]): T[] =>
  keys.reduce<unknown[]>(
    (level, key) => level.flatMap((part) => (part as Record<string, unknown[]>)[key] ?? []),
    received.filter((one) => one.path === path).map((one) => one.body),
  ) as T[];

beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
});
afterAll(() => void collector.close());

describe('telemetry over OTLP', () => {
  it('sends spans and metrics at the latest at the shutdown', async () => {
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;
    const one = await start({ settings: settings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }) });
    const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const traced = await call('/v1/things/echo/headers', {
      at: one.url,
      method: 'PUT',
      json: {},
      headers: { traceparent: `00-${trace}-${parent}-01` },
    });
    const fresh = await call('/v1/things/echo/headers', { at: one.url, method: 'PUT', json: {} });
    await call('/v1/things/fail/bug', { at: one.url });
    await one.close();

    const spans = all<SentSpan>('/v1/traces', 'resourceSpans', 'scopeSpans', 'spans');
    expect(spans.map(({ name }) => name).sort()).toEqual([
      'GET /v1/things/fail/:how',
      'PUT /v1/things/echo/headers',
      'PUT /v1/things/echo/headers',
    ]);
    const child = spans.find(({ traceId }) => traceId === trace);
    expect(child?.parentSpanId).toBe(parent);
    expect(traced.body['traceparent']).toBe(`00-${trace}-${child?.spanId}-01`);
    const root = spans.find(({ name, traceId }) => name.startsWith('PUT') && traceId !== trace);
    expect(root?.parentSpanId).toBeFalsy();
    expect(fresh.body['traceparent']).toBe(`00-${root?.traceId}-${root?.spanId}-01`);
    const failed = spans.find(({ name }) => name.startsWith('GET'));
    expect(failed?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 500 } });

    const names = all<{ name: string }>('/v1/metrics', 'resourceMetrics', 'scopeMetrics', 'metrics');
    expect(names.map(({ name }) => name)).toContain('http.server.request.duration');
    const resources = received.flatMap(({ body }) => JSON.stringify(body));
    expect(resources.every((text) => text.includes('"service.name","value":{"stringValue":"things"}'))).toBe(true);
  });

  it('sends no span of a request that its caller does not sample', async () => {
    received.length = 0;
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const one = await start({ settings: settings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }) });
    await call('/healthz', {
      at: one.url,
      headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' },
    });
    await one.close();
    expect(all('/v1/traces', 'resourceSpans')).toEqual([]);
  });

  it('does not delay requests or the shutdown without a collector', async () => {
    const one = await start({ settings: settings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }) });
    expect((await call('/healthz', { at: one.url })).status).toBe(200);
    await one.close();
    await expect(call('/healthz', { at: one.url })).rejects.toThrow();
  });
});
