import { applyEdits, findMembers } from '../body-members.ts';
import type { ModelRequest, ReceivedRequest } from '../model-request.ts';
import { listFurtherModelMembers, refuseFurtherModels } from '../further-models.ts';
import { listPricedOptions, requirePricedOptions } from '../priced-options.ts';
import { renameModel } from '../model-name.ts';
import { readFlag, readModelName, readTokenLimit } from '../request-fields.ts';
import { estimatePromptTokens } from './prompt-tokens.ts';

/** The members that the gateway reads; the provider must read the same ones. */
const MEMBERS = [
  'model',
  'stream',
  'max_tokens',
  ...listPricedOptions('anthropic'),
  ...listFurtherModelMembers('anthropic'),
];

/**
 * Reads a request of the Messages API. The vendor requires `max_tokens`; the provider refuses a
 * request without it.
 */
export function readMessageRequest(received: ReceivedRequest): ModelRequest {
  const { body } = received;
  const members = findMembers(received, MEMBERS);
  requirePricedOptions('anthropic', body);
  refuseFurtherModels('anthropic', body);
  return {
    received,
    model: readModelName(body),
    isStream: readFlag(body, 'stream'),
    estimate: { promptTokens: estimatePromptTokens(received), maxOutputTokens: readTokenLimit(body, 'max_tokens') },
    members,
  };
}

/** The body for the provider: the bytes of the client with the name of the model there. */
export const createMessageBody = (request: ModelRequest, model: string): Uint8Array =>
  applyEdits(request.received.bytes, renameModel(request, model));
