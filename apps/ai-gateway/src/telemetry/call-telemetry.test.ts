import { beforeEach, describe, expect, it } from '@jest/globals';
import { ClientSpans, type ClientSpan } from '@gatehouse/service-kit/client-spans';
import type { Log } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { currentRequest, inRequest, RequestContext } from '@gatehouse/service-kit/request-context';
import type { ObservedAttempt } from '../exchange/call-observer.ts';
import { ModelCallError, type ModelCallFailure } from '../formats/model-call-error.ts';
import { caller, chat, createBackend, createObservedAttempt, createRoute } from './attempt.fixture.ts';
import { CallTelemetry } from './call-telemetry.ts';

interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly attributes: Readonly<Record<string, string>>;
}
interface Line {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;
}

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('CallTelemetry', () => {
  let measurements: Measurement[];
  let lines: Line[];
  let spans: ClientSpan[];
  let now: number;
  let telemetry: CallTelemetry;

  function createTelemetry(clientSpans: ClientSpans): CallTelemetry {
    const record = (name: string) => (value: number, attributes: Measurement['attributes']) =>
      void measurements.push({ name, value, attributes });
    const meter = Object.assign(Object.create(new Metrics().meter) as Metrics['meter'], {
      createHistogram: (name: string) => ({ record: record(name) }),
      createCounter: (name: string) => ({ add: record(name) }),
    });
    const write = (level: string) => (fields: Line['fields']) =>
      void lines.push({ level, fields, requestId: currentRequest()?.requestId });
    const log = { info: write('info'), warn: write('warn') } as unknown as Log;
    return new CallTelemetry({ metrics: new Metrics(meter), spans: clientSpans, log, now: () => now });
  }

  beforeEach(() => {
    [measurements, lines, spans, now] = [[], [], [], 0];
    telemetry = createTelemetry(new ClientSpans((span) => void spans.push(span)));
  });

  const find = (name: string) => measurements.filter((one) => one.name === name);
  const refuse = (failure: ModelCallFailure, reason?: string, principal = caller) =>
    telemetry.recordRefusal({
      interactionId: undefined,
      context: undefined,
      operation: chat,
      principal,
      model: 'gpt-5',
      error: new ModelCallError(failure, 'The prompt said canary.', { reason }),
    });

  it('measures tokens, times and cost of a delivered stream', () => {
    telemetry.recordAttempt(createObservedAttempt());
    const common = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5-2026',
      'gen_ai.response.model': 'gpt-5-2026',
      'gatehouse.provider': 'main',
      'gatehouse.route': 'gpt-5',
    };
    expect(measurements).toEqual([
      { name: 'gatehouse.model_calls.attempts', value: 1, attributes: { ...common, outcome: 'delivered' } },
      { name: 'gen_ai.client.operation.duration', value: 3, attributes: common },
      { name: 'gen_ai.client.token.usage', value: 100, attributes: { ...common, 'gen_ai.token.type': 'input' } },
      { name: 'gen_ai.client.token.usage', value: 21, attributes: { ...common, 'gen_ai.token.type': 'output' } },
      { name: 'gatehouse.model_calls.cost', value: 0.0125, attributes: common },
      { name: 'gen_ai.server.time_to_first_token', value: 1, attributes: common },
      { name: 'gen_ai.server.time_per_output_token', value: 0.1, attributes: common },
    ]);
  });

  const failed = (outcome: Partial<ObservedAttempt['outcome']>): ObservedAttempt =>
    createObservedAttempt({
      outcome: { outcome: 'upstream_error', upstream_status: 0, duration_ms: 5, raw_usage: null, ...outcome },
      cost: undefined,
      report: undefined,
      timeToFirstByteMs: undefined,
    });

  it.each([
    [{ upstream_status: 0 }, 'no_response'],
    [{ upstream_status: 429 }, '429'],
    [{ upstream_status: 200 }, 'response_failed'],
    [{ outcome: 'client_disconnect', upstream_status: 200 }, 'client_disconnect'],
    [{ outcome: 'blocked_downstream', upstream_status: 200 }, 'blocked_downstream'],
  ] as const)('names the error of an attempt with %j', (outcome, errorType) => {
    telemetry.recordAttempt(failed(outcome));
    expect(find('gen_ai.client.operation.duration')[0]?.attributes).toMatchObject({ 'error.type': errorType });
    expect(measurements).toHaveLength(2);
    expect(lines[0]?.fields).toMatchObject({ error_type: errorType });
  });

  it('names the format of a client whose call was translated', () => {
    const attempt = createObservedAttempt();
    const { provider, backend } = attempt.served;
    telemetry.recordAttempt({ ...attempt, served: { backend, provider: { ...provider, kind: 'anthropic' } } });
    expect(lines[0]?.fields).toMatchObject({ translated_from: 'openai' });
  });

  it('counts a usage object that cannot be read as no usage', () => {
    const { outcome } = createObservedAttempt();
    telemetry.recordAttempt(createObservedAttempt({ outcome: { ...outcome, raw_usage: { prompt_tokens: -1 } } }));
    expect(find('gen_ai.client.token.usage')).toEqual([]);
  });

  it('has no name of a model in metrics that only callers or responses name', () => {
    const served = createBackend();
    const route = createRoute(undefined, served);
    for (let at = 0; at < 50; at += 1) {
      const { report } = createObservedAttempt();
      telemetry.recordAttempt(
        createObservedAttempt({
          served,
          route,
          model: `invented-${at}`,
          report: report && { ...report, model: `x-${at}` },
        }),
      );
    }
    const kinds = new Set(measurements.map(({ attributes }) => JSON.stringify(attributes)));
    expect([...kinds].join()).not.toMatch(/invented|x-/);
    expect(find('gen_ai.client.operation.duration')[0]?.attributes['gen_ai.request.model']).toBe('_OTHER');
  });

  it('has few names of models of the responses of one backend', () => {
    const attempt = createObservedAttempt();
    for (let at = 0; at < 50; at += 1)
      telemetry.recordAttempt({ ...attempt, report: attempt.report && { ...attempt.report, model: `v-${at}` } });
    const names = new Set(
      find('gen_ai.client.operation.duration').map((one) => one.attributes['gen_ai.response.model']),
    );
    expect(names.size).toBe(9);
    expect(names).toContain('_OTHER');
  });

  it('sends a span of the attempt as a child of the request', () => {
    telemetry.recordAttempt(createObservedAttempt({ context: new RequestContext('r-1', TRACEPARENT) }));
    expect(spans).toEqual([
      {
        name: 'chat gpt-5-2026',
        traceparent: TRACEPARENT,
        durationMs: 3_000,
        hasFailed: false,
        attributes: expect.objectContaining({
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.request.model': 'gpt-5-2026',
          'gen_ai.response.model': 'gpt-5-2026',
          'gen_ai.response.id': 'chatcmpl-1',
          'gen_ai.response.finish_reasons': ['stop'],
          'gen_ai.usage.input_tokens': 100,
          'gen_ai.usage.output_tokens': 21,
        }),
      },
    ]);
  });

  it('creates no span without a destination', () => {
    createTelemetry(new ClientSpans()).recordAttempt(createObservedAttempt());
    expect(spans).toEqual([]);
    expect(lines).toHaveLength(1);
  });

  it('logs each attempt in the context of its request', () => {
    const context = new RequestContext('r-1');
    inRequest(new RequestContext('r-of-the-connection'), () =>
      telemetry.recordAttempt(createObservedAttempt({ context })),
    );
    expect(lines).toEqual([
      {
        level: 'info',
        requestId: 'r-1',
        fields: {
          interaction_id: '0199-1',
          attempt: 1,
          principal: 'key:k-1',
          operation: 'openai.chat_completions',
          route: 'gpt-5',
          provider: 'main',
          model: 'gpt-5-2026',
          is_stream: true,
          outcome: 'delivered',
          status: 200,
          input_usage: 100,
          output_usage: 21,
          cost_usd: '0.012500000',
          duration_ms: 3_000,
          first_byte_ms: 1_000,
          provider_request_id: 'req_1',
          response_id: 'chatcmpl-1',
          finish_reasons: ['stop'],
        },
      },
    ]);
  });

  it('shortens the texts of providers', () => {
    const { report } = createObservedAttempt();
    const long = 'x'.repeat(10_000);
    const endless = report && { ...report, responseId: long, finishReasons: Array.from({ length: 500 }, () => long) };
    telemetry.recordAttempt(createObservedAttempt({ report: endless }));
    expect(JSON.stringify(lines).length).toBeLessThan(4_000);
    expect(JSON.stringify(spans).length).toBeLessThan(4_000);
  });

  it('counts and logs refusals with the reason for administrators, and never the message', () => {
    refuse('denied', 'model_not_granted');
    refuse('unavailable', 'the Secret of the provider main does not exist');
    refuse('invalid_request');
    expect(find('gatehouse.model_calls.refused').map(({ attributes }) => attributes)).toEqual([
      { 'gen_ai.operation.name': 'chat', failure: 'denied', reason: 'model_not_granted' },
      { 'gen_ai.operation.name': 'chat', failure: 'unavailable', reason: '_OTHER' },
      { 'gen_ai.operation.name': 'chat', failure: 'invalid_request', reason: 'none' },
    ]);
    expect(lines.map(({ level, fields }) => [level, fields['reason']])).toEqual([
      ['info', 'model_not_granted'],
      ['warn', 'the Secret of the provider main does not exist'],
      ['info', undefined],
    ]);
    expect(JSON.stringify([lines, measurements])).not.toContain('canary');
  });

  it('logs few of the refusals that one caller repeats, and says how many it omitted', () => {
    for (let call = 0; call < 1_000; call += 1) refuse('denied', 'no_budget');
    refuse('denied', 'no_budget', { ...caller, id: 'key:k-2' });
    expect(lines).toHaveLength(4);
    now += 10_000;
    refuse('denied', 'no_budget');
    expect(lines.slice(4).map(({ fields }) => fields)).toEqual([
      { omitted: 997 },
      expect.objectContaining({ principal: 'key:k-1' }),
    ]);
    expect(find('gatehouse.model_calls.refused')).toHaveLength(1_002);
  });

  it('logs a bounded number of refusals of many callers', () => {
    for (let call = 0; call < 10_000; call += 1) refuse('denied', 'no_budget', { ...caller, id: `key:${call}` });
    expect(lines).toHaveLength(200);
  });

  it('has few reasons in metrics', () => {
    for (let call = 0; call < 1_000; call += 1) refuse('denied', `reason_${call}`);
    const reasons = new Set(find('gatehouse.model_calls.refused').map(({ attributes }) => attributes['reason']));
    expect(reasons.size).toBe(101);
  });
});
