import { countMessageTokens, createMessage } from './anthropic-messages.ts';
import { VendorRefusal } from './refusal.ts';
import type { VendorCall, VendorOperation, VendorRequest } from './reply.ts';

/** The versions in a body, and the versions of the API of Anthropic that they select. */
const VERSIONS: Readonly<Record<string, string>> = {
  'vertex-2023-10-16': '2023-06-01',
  '2026-10-21': '2026-10-21',
};

const refuse = (message: string) => new VendorRefusal(400, 'invalid_request_error', message);

/**
 * Finds an operation of a model of Anthropic. The version is in the body, the model only in bodies
 * of token counts.
 */
export function findMessageOperation(request: VendorRequest, model: string, name: string): VendorOperation | undefined {
  if (request.headers['anthropic-version'] !== undefined) throw refuse('anthropic-version: the version is in the body');
  if (name !== 'rawPredict' && name !== 'streamRawPredict') return undefined;
  if (model === 'count-tokens')
    return name === 'rawPredict' ? (call) => countMessageTokens((found) => found)(convert(call)) : undefined;
  return (call) => {
    const { body } = call as { readonly body: { readonly model?: unknown; readonly stream?: unknown } };
    if (body.model !== undefined) throw refuse('model: Extra inputs are not permitted');
    if ((body.stream === true) !== (name === 'streamRawPredict'))
      throw refuse(`stream: is not allowed for the method ${name}`);
    const named = { ...call, body: { ...body, model } };
    return createMessage((found) => found)(convert(named));
  };
}

/** Converts a request into that of the API of Anthropic. */
function convert(call: VendorCall): VendorCall {
  const { anthropic_version: version, ...body } = call.body as Readonly<Record<string, unknown>> & {
    readonly anthropic_version?: string;
  };
  if (version === undefined) throw refuse('anthropic_version: Field required');
  const selected = VERSIONS[version];
  if (selected === undefined) throw refuse(`anthropic_version: "${version}" is not a valid version`);
  return { ...call, body, headers: { ...call.headers, 'anthropic-version': selected } };
}
