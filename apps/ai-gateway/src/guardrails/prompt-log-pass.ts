import type { Log } from '@gatehouse/service-kit/log';
import type { CallPass, PassedCall } from '../exchange/call-pass.ts';
import type { JsonObject } from '../formats/model-request.ts';

/** The most characters of a request in the log. */
const MAX_LENGTH = 32 * 1024;

/**
 * Writes prompts to the log, because the administrators have enabled it. It follows the redaction,
 * so that the log has what the provider receives.
 */
export class PromptLogPass implements CallPass {
  constructor(private readonly log: Log) {}

  handleRequest(body: JsonObject, { interactionId, principal, operation }: PassedCall): JsonObject {
    const text = JSON.stringify(body);
    this.log.info(
      {
        interaction_id: interactionId,
        principal: principal.id,
        operation: operation.name,
        request_body: text.slice(0, MAX_LENGTH),
        ...(text.length > MAX_LENGTH && { omitted_characters: text.length - MAX_LENGTH }),
      },
      'a prompt was logged, because spec.guardrails.promptLogging is enabled',
    );
    return body;
  }
}
