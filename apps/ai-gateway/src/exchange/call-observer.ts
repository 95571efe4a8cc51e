import type { Usd } from '@gatehouse/money/usd';
import type { RequestContext } from '@gatehouse/service-kit/request-context';
import type { ModelCallError } from '../formats/model-call-error.ts';
import type { ModelOperation } from '../formats/operation.ts';
import type { ResponseReport } from '../formats/response-reader.ts';
import type { Principal } from '../identity/principals.ts';
import type { ServedBackend, ServedRoute } from '../policy/served-routes.ts';
import type { UsageOutcome } from '../settlement/usage-recorder.ts';

/** One attempt at a provider that has ended. Nothing in it is a prompt or an answer. */
export interface ObservedAttempt {
  readonly interactionId: string;
  /** The request of the client: its id and its trace. */
  readonly context: RequestContext | undefined;
  readonly attempt: number;
  readonly operation: ModelOperation;
  readonly principal: Principal;
  readonly route: ServedRoute;
  readonly served: ServedBackend;
  readonly requestedModel: string;
  /** The name of the model at the provider. */
  readonly model: string;
  readonly isStream: boolean;
  readonly outcome: UsageOutcome;
  /** The charge of the attempt; undefined if its price is not known here. */
  readonly cost: Usd | undefined;
  readonly report: ResponseReport | undefined;
  /** From the start of the attempt until the first byte for the client; undefined without one. */
  readonly timeToFirstByteMs: number | undefined;
  /** The id that the provider gave the request. */
  readonly providerRequestId: string | undefined;
}

/** A call that was refused before it reached a provider, or that no provider served. */
export interface ObservedRefusal {
  readonly interactionId: string | undefined;
  readonly context: RequestContext | undefined;
  readonly operation: ModelOperation | undefined;
  /** Undefined for a caller that was not identified. */
  readonly principal: Principal | undefined;
  /** Undefined unless the model is known and granted: a caller can write any text there. */
  readonly model: string | undefined;
  readonly error: ModelCallError;
}

/** Receives the ends of attempts and calls, for metrics, spans and logs. */
export abstract class CallObserver {
  abstract recordAttempt(attempt: ObservedAttempt): void;
  abstract recordRefusal(refusal: ObservedRefusal): void;
}
