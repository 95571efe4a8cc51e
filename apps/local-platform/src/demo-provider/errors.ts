import type { DemoRequestError } from './reply.ts';

/** The vendors whose formats the demo provider has. */
export type Vendor = 'anthropic' | 'google' | 'openai';

/** An error body in the form of each vendor, so that its SDK shows the message. */
export function createErrorBody(vendor: Vendor, { status, message }: DemoRequestError): object {
  switch (vendor) {
    case 'openai':
      return { error: { message, type: 'invalid_request_error', param: null, code: null } };
    case 'anthropic':
      return { type: 'error', error: { type: status === 404 ? 'not_found_error' : 'invalid_request_error', message } };
    case 'google':
      return { error: { code: status, message, status: status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT' } };
  }
}
