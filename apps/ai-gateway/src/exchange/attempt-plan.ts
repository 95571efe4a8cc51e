import type { RequestContext } from '@gatehouse/service-kit/request-context';
import type { IncomingMessage } from 'node:http';
import type { BackendOperation } from '../formats/backend-operation.ts';
import type { FoundOperation } from '../formats/find-operation.ts';
import type { JsonObject, ModelRequest } from '../formats/model-request.ts';
import type { WireFormat } from '../formats/operation.ts';
import type { Principal } from '../identity/principals.ts';
import type { ServedBackend, ServedRoute } from '../policy/served-routes.ts';
import type { NextAttempt } from '../routing/attempt-order.ts';
import type { ProviderPlatform } from '../upstream/platforms/provider-platform.ts';
import type { CallParts } from './call-parts.ts';
import type { ClientResponse } from './client-response.ts';
import type { AnswerReview } from './passed-contents.ts';

/** The call of an attempt. */
export interface AttemptedCall {
  readonly interactionId: string;
  readonly context: RequestContext | undefined;
  readonly parts: CallParts;
  readonly found: FoundOperation;
  readonly request: IncomingMessage;
  readonly client: ClientResponse;
  /** Aborted when the client disconnects before an answer, and at the end of the call’s time. */
  readonly signal: AbortSignal;
  /** Takes the usage of an ended attempt: the reported one, else the estimated one. */
  addUsage(format: WireFormat, usage: JsonObject | undefined): void;
}

/** A backend that serves the operation of the call. */
export interface UsableBackend {
  readonly served: ServedBackend;
  readonly operation: BackendOperation;
  /** In the format of the provider. */
  readonly request: ModelRequest;
  readonly platform: ProviderPlatform;
}

/** The request and the backend of an attempt. */
export interface AttemptPlan extends UsableBackend {
  readonly principal: Principal;
  readonly route: ServedRoute;
  /** In the format of the client. */
  readonly clientRequest: ModelRequest;
  /** From 1. */
  readonly number: number;
  readonly next: NextAttempt;
  /** Undefined if answers pass unexamined. */
  readonly review?: AnswerReview | undefined;
}

/** The name of the model at the provider of an attempt. */
export const getProviderModel = ({ served: { backend }, request }: AttemptPlan): string =>
  backend.model ?? request.model;

/** The name of the model in prices and usage. */
export const getPricedModel = (plan: AttemptPlan): string => plan.served.backend.pricedAs ?? getProviderModel(plan);
