import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { RequestContext } from '@gatehouse/service-kit/request-context';
import type { JsonObject } from '../formats/model-request.ts';
import type { ModelOperation } from '../formats/operation.ts';
import type { Principal } from '../identity/principals.ts';

/** The facts of a call for passes. */
export interface PassedCall {
  readonly interactionId: string;
  readonly context: RequestContext | undefined;
  readonly operation: ModelOperation;
  readonly principal: Principal;
  /** The name of the model, as the client wrote it. */
  readonly model: string;
  /** Aborted when the client disconnects before an answer, and at the end of the call’s time. */
  readonly signal: AbortSignal;
}

/** A whole answer for the client. */
export interface WholeAnswer {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/**
 * Examines the contents of calls between the gateway’s decision and the provider. A pass refuses by
 * a ModelCallError.
 */
export interface CallPass {
  /**
   * Takes the body of a request before it is admitted to a budget. The pass may change it.
   * @returns the body that goes on. It must name the same model
   * @throws ModelCallError to refuse the call, which then costs nothing
   */
  handleRequest?(body: JsonObject, call: PassedCall): JsonObject | Promise<JsonObject>;
  /**
   * Takes a whole answer. With such a pass, no byte of an answer reaches the client before its end.
   * @returns the answer that goes on
   * @throws ModelCallError to withhold the answer, whose usage is charged
   */
  handleAnswer?(answer: WholeAnswer, call: PassedCall): WholeAnswer | Promise<WholeAnswer>;
}

/** The passes of AIGateways. */
export interface CallPasses {
  /** Lists the passes of an AIGateway in the order in which they see requests and answers. */
  list(gateway: AIGateway): readonly CallPass[];
}
