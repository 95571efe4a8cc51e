import { ModelCallError } from '../formats/model-call-error.ts';
import type { ModelRequest } from '../formats/model-request.ts';
import type { CallPass, PassedCall, WholeAnswer } from './call-pass.ts';

/** Examines a whole answer. @throws ModelCallError to withhold it */
export type AnswerReview = (answer: WholeAnswer) => Promise<WholeAnswer>;

/**
 * Gives a request to all passes. Its body is written anew, so that the provider reads what they
 * have examined, also where a member occurs twice.
 * @throws ModelCallError of a pass that refuses the request
 */
export async function passRequest(
  passes: readonly CallPass[],
  request: ModelRequest,
  call: PassedCall,
): Promise<ModelRequest> {
  if (passes.every((pass) => pass.handleRequest === undefined)) return request;
  let { body } = request.received;
  for (const pass of passes) body = (await pass.handleRequest?.(body, call)) ?? body;
  const bytes = Buffer.from(JSON.stringify(body));
  const passed = call.operation.readRequest({ ...request.received, bytes, body });
  if (passed.model === request.model && passed.isStream === request.isStream) return passed;
  throw new ModelCallError('internal', 'The gateway could not examine the request.', {
    reason: 'guardrail_changed_model',
  });
}

/** Creates the review of answers. @returns undefined if no pass examines answers */
export function createReview(passes: readonly CallPass[], call: PassedCall): AnswerReview | undefined {
  const reviewing = passes.filter((pass) => pass.handleAnswer !== undefined);
  if (reviewing.length === 0) return undefined;
  return async (answer) => {
    let passed = answer;
    for (const pass of reviewing) passed = (await pass.handleAnswer?.(passed, call)) ?? passed;
    return passed;
  };
}

/**
 * Creates the error for an answer that could not be examined. Its status makes no SDK repeat the
 * call, which would be charged again.
 * @param reason for administrators
 */
export const createWithheldError = (reason: string, cause?: unknown): ModelCallError =>
  new ModelCallError('denied', 'The gateway could not examine the answer, so it is withheld.', { reason, cause });
