import type { IncomingHttpHeaders } from 'node:http';
import type { ModelCallFailure } from '../../../formats/model-call-error.ts';

/** The exceptions of the Bedrock runtime API, and those of AWS for faulty signatures. */
const FAILURES: ReadonlyMap<string, ModelCallFailure> = new Map([
  ['AccessDeniedException', 'denied'],
  ['ConflictException', 'invalid_request'],
  ['ExpiredTokenException', 'unauthenticated'],
  ['IncompleteSignatureException', 'unauthenticated'],
  ['InternalServerException', 'provider_error'],
  ['InvalidSignatureException', 'unauthenticated'],
  ['MissingAuthenticationTokenException', 'unauthenticated'],
  ['ModelErrorException', 'provider_error'],
  ['ModelNotReadyException', 'unavailable'],
  ['ModelStreamErrorException', 'provider_error'],
  ['ModelTimeoutException', 'provider_timeout'],
  ['ResourceNotFoundException', 'not_found'],
  ['ServiceQuotaExceededException', 'rate_limited'],
  ['ServiceUnavailableException', 'unavailable'],
  ['ThrottlingException', 'rate_limited'],
  ['UnrecognizedClientException', 'unauthenticated'],
  ['ValidationException', 'invalid_request'],
] as const);

const BY_STATUS: ReadonlyMap<number, ModelCallFailure> = new Map([
  [400, 'invalid_request'],
  [401, 'unauthenticated'],
  [403, 'denied'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [408, 'provider_timeout'],
  [413, 'request_too_large'],
  [429, 'rate_limited'],
  [503, 'unavailable'],
  [529, 'unavailable'],
] as const);

/**
 * Reads the code of an error of AWS from a header such as `ThrottlingException:http://…`, or from
 * one with a namespace (restJson1 of Smithy, section Operation error serialization).
 * @returns undefined without the header
 */
export function readAwsCode({ 'x-amzn-errortype': header }: IncomingHttpHeaders): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [code = ''] = header.split(':');
  return code.slice(code.indexOf('#') + 1).trim();
}

/** Finds the failure of an error by its code. @returns undefined for an unknown code */
export const findFailureOfCode = (code: string | undefined): ModelCallFailure | undefined => FAILURES.get(code ?? '');

/** Finds the failure of an error whose code says nothing. */
export const findFailureOfStatus = (status: number): ModelCallFailure =>
  BY_STATUS.get(status) ?? (status < 500 ? 'invalid_request' : 'provider_error');

/** Finds the failure of an exception in a stream, whose name begins with a small letter. */
export const findStreamFailure = (name: string): ModelCallFailure =>
  findFailureOfCode(name.charAt(0).toUpperCase() + name.slice(1)) ?? 'provider_error';
