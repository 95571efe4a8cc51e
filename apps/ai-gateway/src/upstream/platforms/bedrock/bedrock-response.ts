import type { IncomingHttpHeaders } from 'node:http';
import { anthropicErrors } from '../../../formats/anthropic/errors.ts';
import { ModelCallError } from '../../../formats/model-call-error.ts';
import type { ModelRequest } from '../../../formats/model-request.ts';
import { openAiErrors } from '../../../formats/openai/errors.ts';
import { parseJsonObject } from '../../../formats/readers/event-stream-reader.ts';
import { isJsonObject } from '../../../formats/readers/response-facts.ts';
import type { ProviderResponse } from '../../provider-request.ts';
import { ConvertedResponse } from '../converted-response.ts';
import type { ProviderCall } from '../provider-platform.ts';
import { findFailureOfCode, findFailureOfStatus, readAwsCode } from './aws-failure.ts';
import { MessageEvents } from './message-events.ts';
import { SmallBody } from './small-body.ts';

/** The content type of an Amazon event stream. */
const FRAMES = 'application/vnd.amazon.eventstream';

/**
 * Converts a response of Bedrock into that of the vendor’s API: errors, streams and counts of
 * tokens. The id of the request is in `request-id`.
 */
export function convertBedrockResponse(
  response: ProviderResponse,
  { operation, request }: ProviderCall,
): ProviderResponse {
  const headers = nameRequest(response.headers);
  if (response.status >= 400) return convertError(response, headers, operation.format === 'openai');
  if (operation.telemetryName === 'count_tokens') return convertCount(response, headers);
  if (headers['content-type']?.startsWith(FRAMES) === true) return convertStream(response, headers, request);
  return replaceHeaders(response, headers);
}

const replaceHeaders = (response: ProviderResponse, headers: IncomingHttpHeaders): ProviderResponse => ({
  status: response.status,
  headers,
  receive: (receiver) => response.receive(receiver),
  pause: () => response.pause(),
  resume: () => response.resume(),
  abort: (reason) => response.abort(reason),
});

const nameRequest = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const { 'x-amzn-requestid': id } = headers;
  return id === undefined ? headers : { ...headers, 'request-id': id };
};

/**
 * Converts an error of AWS, `{"message"}` with its code in a header. The code decides about the
 * status. The compatible endpoint can answer with an error of the vendor, which stays.
 */
function convertError(response: ProviderResponse, headers: IncomingHttpHeaders, isOpenAi: boolean): ProviderResponse {
  const { status } = response;
  const known = findFailureOfCode(readAwsCode(headers));
  const failure = known ?? findFailureOfStatus(status);
  const errors = isOpenAi ? openAiErrors : anthropicErrors;
  const requestId = String(headers['request-id'] ?? '');
  const write = (message: string) => errors.writeError(new ModelCallError(failure, message), requestId);
  const sent = write('');
  const convert = (body: Buffer) => {
    const { error, ...document } = parseJsonObject(body.toString('utf8')) ?? {};
    return isJsonObject(error) ? body : write(readMessage(document) ?? `The provider answered ${status}.`).body;
  };
  const head = { status: known === undefined ? status : sent.status, headers: { ...headers, ...sent.headers } };
  return new ConvertedResponse(response, withoutLength(head), new SmallBody(convert));
}

/** Services of AWS write the member in two ways. */
function readMessage({ message, Message }: Readonly<Record<string, unknown>>): string | undefined {
  const text = message ?? Message;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Converts `{"inputTokens"}` into `{"input_tokens"}`. */
function convertCount(response: ProviderResponse, headers: IncomingHttpHeaders): ProviderResponse {
  const convert = (body: Buffer) => {
    const { inputTokens } = parseJsonObject(body.toString('utf8')) ?? {};
    return typeof inputTokens === 'number' ? JSON.stringify({ input_tokens: inputTokens }) : body;
  };
  return new ConvertedResponse(response, withoutLength({ headers }), new SmallBody(convert));
}

function convertStream(
  response: ProviderResponse,
  headers: IncomingHttpHeaders,
  request: ModelRequest,
): ProviderResponse {
  const head = { headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' } };
  return new ConvertedResponse(response, withoutLength(head), new MessageEvents(request));
}

/** A converted body has another length. */
function withoutLength<Head extends { readonly headers: IncomingHttpHeaders }>(head: Head): Head {
  const { 'content-length': _, ...headers } = head.headers;
  return { ...head, headers };
}
