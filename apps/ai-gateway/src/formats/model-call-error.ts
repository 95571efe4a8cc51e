import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** Why the gateway refuses or ends a model call. Each format has a status and a type for each. */
export type ModelCallFailure =
  /** The request is malformed; the message names the field. */
  | 'invalid_request'
  /** The format of the provider cannot express the field of the request that the message names. */
  | 'untranslatable'
  /** No credential, or one that is not valid. */
  | 'unauthenticated'
  /** The caller may not use the model or the gateway; the same for every reason. */
  | 'denied'
  /** No such operation, or no such model for this caller. */
  | 'not_found'
  | 'method_not_allowed'
  | 'request_too_large'
  /** The body did not arrive in time. */
  | 'request_timeout'
  | 'rate_limited'
  /** The budget of the caller is exhausted. */
  | 'budget_exceeded'
  /** The gateway cannot serve the request now. */
  | 'unavailable'
  /** The provider cannot be reached, or its response cannot be used. */
  | 'provider_error'
  | 'provider_timeout'
  /** An error of the gateway. */
  | 'internal';

interface ModelCallErrorDetails extends ErrorDetails {
  /** The field of the request, in the notation of the format. */
  readonly field?: string | undefined;
  /** The reason for administrators, which callers do not see. */
  readonly reason?: string | undefined;
}

/** A model call that the gateway refuses or ends, with a message for the caller. */
export class ModelCallError extends GatehouseError {
  override readonly code = 'model_call_failed';
  readonly field: string | undefined;
  readonly reason: string | undefined;

  /** @param message a sentence for the caller, without a secret */
  constructor(
    readonly failure: ModelCallFailure,
    message: string,
    { field, reason, ...details }: ModelCallErrorDetails = {},
  ) {
    super(message, { expose: true, ...details });
    this.field = field;
    this.reason = reason;
  }
}
