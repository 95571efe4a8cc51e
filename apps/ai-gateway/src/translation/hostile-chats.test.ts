import { describe, expect, it } from '@jest/globals';
import { messages } from '../formats/anthropic/messages.ts';
import { ODD_VALUES, replaceEachPart } from '../formats/full-requests.fixture.ts';
import { generateContent } from '../formats/google/generate-content.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { JsonObject } from '../formats/model-request.ts';
import { isJsonObject } from '../formats/readers/response-facts.ts';
import { chatCompletions } from '../formats/openai/chat-completions.ts';
import type { ModelOperation, WireFormat } from '../formats/operation.ts';
import { createReceived } from '../formats/read-response.fixture.ts';
import { ANTHROPIC_FEATURES, PLAIN_MESSAGE } from './anthropic/request-features.fixture.ts';
import type { RequestFeature } from './features.fixture.ts';
import { findBackendOperation } from './find-backend-operation.ts';
import { GOOGLE_FEATURES, PLAIN_CONTENT } from './google/request-features.fixture.ts';
import { OPENAI_FEATURES, PLAIN_CHAT } from './openai/request-features.fixture.ts';

interface Client {
  readonly name: string;
  readonly operation: ModelOperation;
  readonly targets: readonly WireFormat[];
  readonly plain: JsonObject;
  readonly features: readonly RequestFeature[];
  /** A request with a list of parts in its only message. */
  readonly withParts: (parts: readonly JsonObject[]) => JsonObject;
}

const CLIENTS: readonly Client[] = [
  {
    name: 'OpenAI',
    operation: chatCompletions,
    targets: ['anthropic', 'google'],
    plain: PLAIN_CHAT,
    features: OPENAI_FEATURES,
    withParts: (content) => ({ ...PLAIN_CHAT, messages: [{ role: 'user', content }] }),
  },
  {
    name: 'Anthropic',
    operation: messages,
    targets: ['openai', 'google'],
    plain: PLAIN_MESSAGE,
    features: ANTHROPIC_FEATURES,
    withParts: (content) => ({ ...PLAIN_MESSAGE, messages: [{ role: 'user', content }] }),
  },
  {
    name: 'Google',
    operation: generateContent,
    targets: ['openai', 'anthropic'],
    plain: PLAIN_CONTENT,
    features: GOOGLE_FEATURES,
    withParts: (parts) => ({ contents: [{ role: 'user', parts: parts.map(({ text }) => ({ text })) }] }),
  },
];

/** @returns the body for a provider, or the refusal of the request */
function translate({ operation }: Client, body: JsonObject, format: WireFormat): JsonObject | ModelCallError {
  try {
    const request = operation.readRequest({ ...createReceived(body), pathModel: 'm' });
    const found = findBackendOperation(operation, request, format, 'm');
    if (found === undefined) throw new Error('there is no translation');
    return JSON.parse(Buffer.from(found.operation.createBody(found.request, 'm')).toString()) as JsonObject;
  } catch (error) {
    if (error instanceof ModelCallError) return error;
    throw error;
  }
}

function expectAnswer(result: JsonObject | ModelCallError): void {
  if (!(result instanceof ModelCallError)) return;
  expect(['untranslatable', 'invalid_request']).toContain(result.failure);
  expect(result.field).toMatch(/./);
  expect(result.message.length).toBeLessThan(1_000);
}

describe.each(CLIENTS)('a hostile client of $name', (client) => {
  it('gets a translation or the name of a field, whatever stands in the place of a part', () => {
    for (const [at, { members }] of client.features.entries())
      // Two odd values for each feature: all of them occur many times.
      for (const odd of [at, at + 11].map((index) => ODD_VALUES[index % ODD_VALUES.length]))
        for (const body of replaceEachPart({ ...client.plain, ...members }, odd))
          if (isJsonObject(body)) for (const format of client.targets) expectAnswer(translate(client, body, format));
  });

  it('may send thousands of parts', () => {
    const parts = Array.from({ length: 30_000 }, (_, at) => ({ type: 'text', text: `${at}` }));
    for (const format of client.targets)
      expect(JSON.stringify(translate(client, client.withParts(parts), format))).toContain('"29999"');
  });

  it('gets the first of thousands of faults', () => {
    const parts = Array.from({ length: 30_000 }, () => ({ type: 'text', text: 5 }));
    for (const format of client.targets) {
      const refusal = translate(client, client.withParts(parts), format);
      expect(refusal).toMatchObject({ failure: 'invalid_request', field: expect.stringMatching(/0\.\w+\.0\.text$/) });
    }
  });

  it('cannot change the prototype of objects', () => {
    const body = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"x":1}}') as JsonObject;
    for (const format of client.targets) {
      const result = translate(client, { ...client.plain, ...body }, format);
      expect(result).toBeInstanceOf(ModelCallError);
      expect(({} as JsonObject)['polluted']).toBeUndefined();
    }
  });
});
