import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { findOperation } from './find-operation.ts';
import { FULL_REQUESTS, ODD_VALUES, replaceEachPart } from './full-requests.fixture.ts';
import { ModelCallError, type ModelCallFailure } from './model-call-error.ts';
import type { JsonObject, ModelRequest, ReceivedRequest } from './model-request.ts';
import type { ModelOperation } from './operation.ts';
import { chatCompletions } from './openai/chat-completions.ts';
import { isJsonObject } from './readers/response-facts.ts';
import { SERVED_FORMATS } from './served-formats.ts';

const OPERATIONS = [...SERVED_FORMATS.byPath.values(), ...SERVED_FORMATS.byVerb.values()];

const FIELDS = [
  ...['model', 'stream', 'max_tokens', 'max_completion_tokens', 'max_output_tokens', 'n', 'stream_options'],
  ...['include_usage', 'messages', 'input', 'content', 'source', 'data', 'type', 'image_url', 'input_audio', 'system'],
  ...['contents', 'parts', 'inlineData', 'inline_data', 'mimeType', 'mime_type', 'generationConfig'],
  ...['generation_config', 'maxOutputTokens', 'candidateCount', 'candidate_count', 'requests', 'systemInstruction'],
  ...['generateContentRequest', 'functionResponse', 'background', 'output', 'text', '__proto__', 'constructor'],
] as const;

/** A plausible or an absurd value: numbers without an end, wrong types, and nested known fields. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom('gpt-5', 'image', 'base64', 'image/png', 'data:image/png;base64,AAAA', '', '\ud800', 'models/m'),
    fc.oneof(fc.boolean(), fc.constant(null), fc.integer({ min: -2, max: 100 }), fc.double()),
    fc.constantFrom(1e300, -1e300, 2 ** 53, 0.5, -0),
    fc.jsonValue({ maxDepth: 2 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('value'), { maxKeys: 5 }),
  ),
}));
const members = fc.array(fc.tuple(fc.constantFrom(...FIELDS), value), { maxLength: 8 });

/** The text of an object, in which names can occur twice. */
const writeObject = (list: readonly (readonly [string, unknown])[]): string =>
  `{${list.map(([name, member]) => `${JSON.stringify(name)}: ${JSON.stringify(member)}`).join(' , ')}}`;
const bodies = fc
  .tuple(fc.constantFrom('', '{"model":"alias"', '{"model":"alias","stream":true'), members)
  .map(([start, list]) =>
    start === '' ? writeObject(list) : `${start},${writeObject([['user', 1], ...list]).slice(1)}`,
  );

const receive = (text: string, query = ''): ReceivedRequest => ({
  bytes: Buffer.from(text),
  body: JSON.parse(text) as JsonObject,
  pathModel: 'alias',
  query: new URLSearchParams(query),
});

/** Reads a request; undefined if it is refused with the name of a field. */
function readOrRefuse(operation: ModelOperation, received: ReceivedRequest): ModelRequest | undefined {
  try {
    return operation.readRequest(received);
  } catch (error) {
    expect(error).toBeInstanceOf(ModelCallError);
    expect(error).toMatchObject({ failure: 'invalid_request', field: expect.stringMatching(/./) });
    return undefined;
  }
}

/** Expects a finite estimate, and a path and a body that a provider can read. */
function expectUsable(operation: ModelOperation, request: ModelRequest): void {
  const { promptTokens, maxOutputTokens = 0 } = request.estimate;
  for (const tokens of [promptTokens, maxOutputTokens])
    expect(Number.isInteger(tokens) && tokens >= 0 && tokens <= 1_000_000_000).toBe(true);
  expect(operation.createPath(request, 'real')).toMatch(/^\/[\w/:.-]+$/);
  expect(parse(operation.createBody(request, request.model))).toBeInstanceOf(Object);
  expect(parse(operation.createBody(request, 'real'))).toBeInstanceOf(Object);
  expect(operation.createReader(request).report.isComplete).toBe(false);
}

const parse = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  it('reads every body, or refuses it and names the field', () => {
    fc.assert(
      fc.property(bodies, (text) => {
        const request = readOrRefuse(operation, receive(text));
        if (request === undefined) return;
        expectUsable(operation, request);
      }),
      { seed, numRuns: 300 * effort },
    );
  });

  it('reads every known field with a value of another type, or refuses it and names the field', () => {
    const full = FULL_REQUESTS[operation.format];
    expectUsable(operation, operation.readRequest(receive(JSON.stringify(full))));
    for (const odd of ODD_VALUES)
      for (const changed of replaceEachPart(full, odd)) {
        if (!isJsonObject(changed)) continue;
        const request = readOrRefuse(operation, receive(JSON.stringify(changed)));
        if (request !== undefined) expectUsable(operation, request);
      }
  });

  it('reads a body with as many nested values as the gateway accepts', () => {
    for (const name of FIELDS) {
      const nested = `${`{"${name}":[`.repeat(49)}1${']}'.repeat(49)}`;
      readOrRefuse(operation, receive(`{"model":"alias","${name === 'model' ? 'x' : name}":[${nested}]}`));
    }
  });

  it('reads every response without a failure of its own', () => {
    const request = operation.readRequest(receive('{"model":"alias","stream":true}'));
    const piece = fc.oneof(
      fc.constantFrom(
        'data: ',
        'event: error',
        '\n\n',
        '\r',
        '{"usage":',
        '{"type":"message_start"',
        '[',
        '}',
        ']',
        '"',
      ),
      fc.jsonValue().map((json) => JSON.stringify(json)),
      fc.string({ unit: 'binary' }),
    );
    const type = fc.constantFrom(undefined, 'text/event-stream', 'application/json', 'text/html');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), type, (pieces, contentType) => {
        const reader = operation.createReader(request, contentType);
        for (const text of pieces) reader.push(Buffer.from(text));
        reader.end();
        expect(reader.report.outputBytes).toBeGreaterThanOrEqual(0);
      }),
      { seed, numRuns: 200 * effort },
    );
  });
});

describe('findOperation', () => {
  const part = fc.constantFrom(
    ...['/v1', '/v1beta', '/models', '/messages', '/chat/completions', '/', '..', ':generateContent', ':x', ':'],
    ...['%2F', '%3A', '%', '%ff', '?', '?key=x', '#', '//', 'gemini', 'models/', '\\', '%00', '%0d%0a', ' ', 'é'],
  );
  const urls = fc.array(fc.oneof(part, fc.string()), { maxLength: 8 }).map((parts) => parts.join(''));

  it('finds an operation, models or an error for every path', () => {
    const methods = fc.constantFrom('GET', 'POST', 'DELETE', 'OPTIONS', 'x');
    fc.assert(
      fc.property(urls, methods, (url, method) => {
        const found = findOperation(SERVED_FORMATS, method, url, {});
        expect(['operation', 'models', 'none']).toContain(found.kind);
        if (found.kind === 'none') expect(['not_found', 'method_not_allowed']).toContain(found.error.failure);
      }),
      { seed, numRuns: 1_000 * effort },
    );
  });

  it('lets no name of a model change the path at the provider', () => {
    fc.assert(
      fc.property(urls, (name) => {
        const found = findOperation(SERVED_FORMATS, 'POST', `/v1beta/models/${name}:generateContent`, {});
        if (found.kind !== 'operation') return;
        const { operation, pathModel, query } = found;
        const request = readOrRefuse(operation, { ...receive('{}'), pathModel, query });
        if (request !== undefined)
          expect(operation.createPath(request, request.model)).toMatch(/^\/models\/[^/?#\s]+:generateContent$/);
      }),
      { seed, numRuns: 1_000 * effort },
    );
  });
});

describe.each(Object.entries(SERVED_FORMATS.errors))('errors in the format of %s', (_format, errors) => {
  const FAILURES: readonly ModelCallFailure[] = ['invalid_request', 'rate_limited', 'budget_exceeded', 'internal'];

  it('are valid JSON and valid headers for every message', () => {
    const request = chatCompletions.readRequest(receive('{"model":"alias"}'));
    const details = fc.record({ field: fc.option(fc.string(), { nil: undefined }), retryAfterMs: fc.nat() });
    fc.assert(
      fc.property(fc.constantFrom(...FAILURES), fc.string({ unit: 'binary' }), details, (failure, message, more) => {
        const error = new ModelCallError(failure, message, more);
        const { headers, body } = errors.writeError(error, 'id');
        expect(JSON.stringify(JSON.parse(body))).toContain(JSON.stringify(message));
        expect(() => new Headers(headers)).not.toThrow();
        const event = errors.writeStreamError(error, request);
        expect(event.trim().split('\n').length).toBeLessThanOrEqual(3);
      }),
      { seed, numRuns: 100 * effort },
    );
  });
});
