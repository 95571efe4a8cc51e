import type { ModelCallError } from '../formats/model-call-error.ts';
import type { ModelOperation } from '../formats/operation.ts';
import type { ResponseReport } from '../formats/response-reader.ts';
import type { Principal } from '../identity/principals.ts';
import type { UsageOutcome } from '../settlement/usage-recorder.ts';

/** One attempt at a provider that has ended. Nothing in it is a prompt or an answer. */
export interface ObservedAttempt {
  readonly interactionId: string;
  readonly attempt: number;
  readonly operation: ModelOperation;
  readonly principal: Principal;
  /** The name of the provider in the AIGateway. */
  readonly provider: string;
  readonly route: string;
  readonly requestedModel: string;
  readonly model: string;
  readonly isStream: boolean;
  readonly outcome: UsageOutcome;
  readonly report: ResponseReport | undefined;
  /** From the start of the attempt until the first byte for the client; undefined without one. */
  readonly timeToFirstByteMs: number | undefined;
  /** The id that the provider gave the request. */
  readonly providerRequestId: string | undefined;
}

/** A call that was refused before it reached a provider, or that no provider served. */
export interface ObservedRefusal {
  readonly operation: ModelOperation | undefined;
  readonly principal: Principal | undefined;
  readonly error: ModelCallError;
}

/** Receives the ends of attempts and calls, for metrics, spans and logs. */
export abstract class CallObserver {
  abstract recordAttempt(attempt: ObservedAttempt): void;
  abstract recordRefusal(refusal: ObservedRefusal): void;
}
