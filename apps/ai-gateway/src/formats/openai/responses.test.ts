import { describe, expect, it } from '@jest/globals';
import { computeCharge } from '@gatehouse/money/charge';
import { readRates } from '@gatehouse/money/rates';
import { readUsage } from '@gatehouse/money/usage';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import type { ModelCallError } from '../model-call-error.ts';
import type { ResponseReport } from '../response-reader.ts';
import { createReceived, readResponse } from '../read-response.fixture.ts';
import { BEGINNING, RESPONSE_USAGE, createEnd, createResponse } from './response-frames.fixture.ts';
import { responses } from './responses.ts';

const read = (body: unknown) => responses.readRequest(createReceived(body));
const stream = read({ model: 'gpt-5.4', stream: true, input: 'Hello', store: true, previous_response_id: 'resp_1' });
const plain = read({ model: 'gpt-5.4', input: 'Hello' });
const rates = readRates(
  'openai',
  { inputUsdPerMillion: '2.5', cachedInputUsdPerMillion: '0.25', outputUsdPerMillion: '15' },
  { openai: { webSearchUsdPerThousand: '10', fileSearchUsdPerThousand: '2.5' } },
);
const charge = ({ usage }: ResponseReport) => computeCharge(rates, readUsage('openai', usage ?? {}) ?? {});
const failure = (body: unknown) => {
  try {
    read(body);
  } catch (error) {
    return (error as ModelCallError).field;
  }
  return undefined;
};

describe('requests of the Responses API', () => {
  it('have a limit of the output and pass unchanged', () => {
    const received = createReceived(
      '{"model":"gpt-5.4","max_output_tokens":10, "previous_response_id":"resp_1"}',
      'a=b',
    );
    const request = responses.readRequest(received);
    expect(request.estimate.maxOutputTokens).toBe(10);
    expect(responses.createBody(request, 'gpt-5.4')).toBe(received.bytes);
    expect(responses.createPath(request, 'gpt-5.4')).toBe('/responses?a=b');
  });

  it('do not count images by their bytes', () => {
    const image = { type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat(1_000_000)}`, detail: 'low' };
    const screenshot = { type: 'computer_call_output', output: { ...image, type: 'computer_screenshot' } };
    const { estimate } = read({ model: 'm', input: [{ role: 'user', content: [image] }, screenshot] });
    expect(estimate.promptTokens).toBeLessThan(2 * 630 + 200);
  });

  it.each([
    [{ model: 'm', background: true }, 'background'],
    [{ input: 'x' }, 'model'],
    [{ model: 'm', stream: 1 }, 'stream'],
    ['{"model":"m","background":false,"background":true}', 'background'],
  ])('are refused for %j', (body, field) => {
    expect(failure(body)).toBe(field);
  });
});

describe('responses of the Responses API', () => {
  const sizesOf = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 });

  it('are charged equally as a stream and as a document, for all chunks', () => {
    const document = Buffer.from(createResponse('completed', RESPONSE_USAGE));
    const expected = readResponse(responses, plain, document).report;
    expect(charge(expected)).toBeGreaterThan(0n);
    expect(expected.usage).toEqual({
      ...(JSON.parse(RESPONSE_USAGE) as object),
      tool_calls: { web_search: 1, file_search: 1 },
    });
    fc.assert(
      fc.property(fc.constantFrom('completed', 'incomplete', 'failed'), sizesOf, (status, sizes) => {
        const bytes = Buffer.from([...BEGINNING, createEnd(status, RESPONSE_USAGE)].join(''));
        const { text, report } = readResponse(responses, stream, bytes, sizes);
        expect(text).toBe(bytes.toString());
        expect(charge(report)).toBe(charge(expected));
        expect(report).toMatchObject({
          isComplete: true,
          model: 'gpt-5.4-2026-03-05',
          responseId: 'resp_67ccd',
          finishReasons: [status],
          outputBytes: Buffer.byteLength('Grüße {\\"a\\":'),
        });
      }),
      { seed, numRuns: 100 * effort },
    );
  });

  it('keep the billed tool calls of a stream that breaks', () => {
    const { report } = readResponse(responses, stream, Buffer.from(BEGINNING.join('')));
    expect(report.isComplete).toBe(false);
    expect(report.usage).toBeUndefined();
    expect(report.promptUsage).toEqual({
      prompt_tokens: stream.estimate.promptTokens,
      tool_calls: { web_search: 1, file_search: 1 },
    });
  });

  it('report the error of a failed response', () => {
    const error = '{"code":"server_error","message":"The model failed"}';
    const { report } = readResponse(responses, stream, Buffer.from(createEnd('failed', 'null', error)));
    expect(report).toMatchObject({ failure: 'server_error', isComplete: true });
  });

  it('report an error event', () => {
    const event = 'event: error\ndata: {"type":"error","code":"ERR","message":"Broken","param":null}\n\n';
    expect(readResponse(responses, stream, Buffer.from(event)).report.failure).toBe('ERR');
  });

  it('are read without the names of events too', () => {
    const bytes = Buffer.from(
      [...BEGINNING, createEnd('completed', RESPONSE_USAGE)].join('').replaceAll(/^event: .*\n/gm, ''),
    );
    const { report } = readResponse(responses, stream, bytes);
    expect(report).toMatchObject({ isComplete: true, usage: { input_tokens: 328 } });
    expect(report.outputBytes).toBe(Buffer.byteLength('Grüße {"a":'));
  });

  it('count tool calls in a document of 1 MiB', () => {
    const image = `{"type":"image_generation_call","result":"${'A'.repeat(1024 * 1024)}"}`;
    const search = '{"type":"file_search_call","status":"completed"}';
    const document = Buffer.from(createResponse('completed', RESPONSE_USAGE, [search, image]));
    expect(readResponse(responses, plain, document, [65_536]).report.usage).toMatchObject({
      tool_calls: { web_search: 0, file_search: 1 },
    });
  });
});
