import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RequestContext } from '@gatehouse/service-kit/request-context';
import { createService, type Service } from '@gatehouse/service-kit/start';
import { startFolderBackend } from '@gatehouse/testing/folder-backend';
import { freePort } from '@gatehouse/testing/ports';
import type { ResourceBackend } from '@gatehouse/testing/resource-backend';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadSettings } from '../src/config.ts';
import { CallObserver } from '../src/exchange/call-observer.ts';
import { ModelCallError } from '../src/formats/model-call-error.ts';
import { createServiceOptions } from '../src/service-options.ts';
import { createObservedAttempt } from '../src/telemetry/attempt.fixture.ts';
import { GATEWAY } from './support/service.ts';

/** A collector of OTLP over HTTP that keeps the received text. */
const received: { path: string; text: string }[] = [];
const collector = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ path: request.url ?? '', text: Buffer.concat(chunks).toString() });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});

describe('telemetry of model calls', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  let backend: ResourceBackend;
  let service: Service;
  let metricsPort: number;

  beforeAll(async () => {
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    metricsPort = await freePort();
    backend = startFolderBackend();
    const settings = loadSettings({
      PORT: '0',
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'silent',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      NAMESPACE: backend.namespace,
      GATEWAY_NAME: GATEWAY,
      ...backend.environment,
    });
    service = await createService(createServiceOptions(settings));
    await service.listen();
    const context = new RequestContext('r-1', `00-${trace}-b7ad6b7169203331-01`);
    const observer = service.app.get(CallObserver, { strict: false });
    observer.recordAttempt(createObservedAttempt({ context }));
    observer.recordRefusal({
      interactionId: undefined,
      context,
      operation: undefined,
      principal: undefined,
      model: undefined,
      error: new ModelCallError('denied', 'The model does not exist.', { reason: 'no_budget' }),
    });
  });
  afterAll(async () => {
    await backend.close();
    collector.close();
  });

  it('serves all metrics to Prometheus', async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const lines = text.split('\n').filter((line) => /^(gen_ai|gatehouse)_/.test(line));
    const labels =
      'gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="gpt-5-2026",gen_ai_response_model="gpt-5-2026",gatehouse_provider="main",gatehouse_route="gpt-5"';
    const values = Object.fromEntries(
      lines
        .filter((line) => !line.includes('_bucket{'))
        .map((line) =>
          line
            .replace(labels, 'COMMON')
            .replace(/,?otel_scope_name="[^"]*"/, '')
            .split(/ (?=\S+$)/),
        ),
    ) as Record<string, string>;
    expect(values).toMatchObject({
      'gen_ai_client_token_usage_sum{COMMON,gen_ai_token_type="input"}': '100',
      'gen_ai_client_token_usage_sum{COMMON,gen_ai_token_type="output"}': '21',
      'gen_ai_client_operation_duration_sum{COMMON}': '3',
      'gen_ai_server_time_to_first_token_sum{COMMON}': '1',
      'gen_ai_server_time_per_output_token_sum{COMMON}': '0.1',
      'gatehouse_model_calls_cost_total{COMMON}': '0.0125',
      'gatehouse_model_calls_attempts_total{COMMON,outcome="delivered"}': '1',
      'gatehouse_model_calls_refused_total{failure="denied",reason="no_budget"}': '1',
    });
    const bounds = lines.filter((line) => line.startsWith('gen_ai_client_operation_duration_bucket'));
    expect(bounds.map((line) => /le="([^"]*)"/.exec(line)?.[1]).slice(0, 4)).toEqual(['0.01', '0.02', '0.04', '0.08']);
  });

  it('sends the span of an attempt at the latest at the shutdown', async () => {
    await service.close();
    const spans = received.filter(({ path }) => path === '/v1/traces').map(({ text }) => text);
    expect(spans.join()).toContain('"name":"chat gpt-5-2026"');
    expect(spans.join()).toContain(`"traceId":"${trace}"`);
    expect(spans.join()).toContain('gen_ai.usage.output_tokens');
  });
});
