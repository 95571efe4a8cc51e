import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { messages } from '../formats/anthropic/messages.ts';
import { generateContent } from '../formats/google/generate-content.ts';
import { chatCompletions } from '../formats/openai/chat-completions.ts';
import type { ModelCallError } from '../formats/model-call-error.ts';
import type { JsonObject, ReceivedRequest } from '../formats/model-request.ts';
import type { ModelOperation, WireFormat } from '../formats/operation.ts';
import { createReceived } from '../formats/read-response.fixture.ts';
import { ANTHROPIC_FEATURES, PLAIN_MESSAGE } from './anthropic/request-features.fixture.ts';
import type { Cell, RequestFeature } from './features.fixture.ts';
import { normalizeTable, renderFeatures } from './feature-page.fixture.ts';
import { findBackendOperation } from './find-backend-operation.ts';
import { GOOGLE_FEATURES, PLAIN_CONTENT } from './google/request-features.fixture.ts';
import { OPENAI_FEATURES, PLAIN_CHAT } from './openai/request-features.fixture.ts';

interface ClientFeatures {
  readonly operation: ModelOperation;
  readonly plain: JsonObject;
  readonly features: readonly RequestFeature[];
  readonly receive: (body: JsonObject) => ReceivedRequest;
}

const CLIENTS: readonly ClientFeatures[] = [
  {
    operation: generateContent,
    plain: PLAIN_CONTENT,
    features: GOOGLE_FEATURES,
    receive: (body) => ({ ...createReceived(body), pathModel: 'm' }),
  },
  { operation: messages, plain: PLAIN_MESSAGE, features: ANTHROPIC_FEATURES, receive: createReceived },
  { operation: chatCompletions, plain: PLAIN_CHAT, features: OPENAI_FEATURES, receive: createReceived },
];

/** The body that a provider receives for a request of a client. */
function translate({ operation, receive }: ClientFeatures, body: JsonObject, format: WireFormat): JsonObject {
  const request = operation.readRequest(receive(body));
  const found = findBackendOperation(operation, request, format, 'm');
  if (found === undefined) throw new Error('there is no translation');
  return JSON.parse(Buffer.from(found.operation.createBody(found.request, 'm')).toString()) as JsonObject;
}

function expectCell(client: ClientFeatures, { members }: RequestFeature, format: WireFormat, cell: Cell): void {
  const run = () => translate(client, { ...client.plain, ...members }, format);
  switch (cell.kind) {
    case 'yes':
      expect(run()).toMatchObject(cell.members);
      return;
    case 'ignored': {
      const { tools } = members;
      const plain = tools === undefined ? client.plain : { ...client.plain, tools };
      expect(run()).toEqual(translate(client, plain, format));
      return;
    }
    case 'refused': {
      let refusal: ModelCallError | undefined;
      try {
        run();
      } catch (error) {
        refusal = error as ModelCallError;
      }
      expect(refusal).toMatchObject({ failure: 'untranslatable', field: cell.field });
      expect(refusal?.message).toContain(cell.field);
    }
  }
}

describe.each(CLIENTS)('a client of $operation.name', (client) => {
  const cells = client.features.flatMap((feature) =>
    Object.entries(feature.to).map(([format, cell]) => ({
      feature,
      format: format as WireFormat,
      cell,
      name: feature.feature,
    })),
  );
  it.each(cells)('is translated for $format: $name', ({ feature, format, cell }) => {
    expectCell(client, feature, format, cell);
  });
});

it.each(CLIENTS)('docs/format-translation.md has the table of $operation.name', ({ features }) => {
  const page = readFileSync(new URL('../../../../docs/format-translation.md', import.meta.url), 'utf8');
  expect(normalizeTable(page)).toContain(normalizeTable(renderFeatures(features)));
});
