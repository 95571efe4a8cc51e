import type { ResumedRequest } from '@gatehouse/mcp/client/resume';
import { createErrorResponse, ErrorCode } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { CallContent } from '../calls/call-content.ts';
import { createForwarding, isFinal, MAX_MESSAGE_LENGTH } from '../calls/forward.ts';
import { removeReservedMeta } from '../calls/meta.ts';
import type { Plane } from '../calls/plane.ts';
import { limitResult, requireValidResult } from '../calls/results.ts';
import { readCreatedTask } from '../calls/task-forms.ts';
import { mapUris, qualifyUri } from '../catalog/resource-uris.ts';
import type { Connector } from '../ports/snapshot.ts';
import { MAY_HAVE_RUN, type TakenCall } from '../ports/stream-owners.ts';
import { createCallEnd, type Outcome } from '../ports/tool-call.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { createTarget } from '../upstreams/credential-identity.ts';
import { listFailureFacts } from '../upstreams/upstream-failure.ts';
import { TakenOverCall } from './taken-over-call.ts';

/** Goes on with the calls of replicas that died, at upstreams that resume their streams. */
export class TakenOverCalls {
  constructor(
    private readonly plane: Plane,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Goes on with a call until its stream has the last event. A call that its upstream does not
   * resume ends with an error, and is never sent again.
   * @throws if the session or the connector does not exist any more
   */
  async continue(taken: TakenCall): Promise<void> {
    const session = await this.sessions.find(taken.sessionId, taken.owner);
    const connector = this.findConnector(taken);
    if (session === undefined || connector === undefined)
      throw new Error('the session or the connector of the call does not exist any more');
    session.enter();
    const call = new TakenOverCall(taken, session);
    session.start(taken.requestId, call);
    try {
      await this.finish(call, taken, connector);
    } finally {
      session.leave();
    }
  }

  private async finish(call: TakenOverCall, taken: TakenCall, connector: Connector): Promise<void> {
    let outcome: Outcome = 'error';
    let response = createErrorResponse(taken.requestId, ErrorCode.internalError, MAY_HAVE_RUN) as RpcResponse;
    try {
      const received = await this.resume(call, taken, connector);
      response = this.toClientResponse(taken, connector, received);
      if ('result' in response) outcome = response.result['isError'] === true ? 'error' : 'ok';
    } catch (error) {
      this.plane.log.warn(
        { connector: connector.id, failure: listFailureFacts(error) },
        'an upstream did not resume a call of a replica that stopped',
      );
    }
    const durationMs = this.plane.now().getTime() - taken.upstream.startedAt;
    try {
      await taken.record?.end(createCallEnd(outcome, true, durationMs));
    } catch (error) {
      // No result leaves without its record, and the client does not wait for ever.
      this.plane.log.error({ err: error }, 'the record of a continued call could not be completed');
      response = createErrorResponse(taken.requestId, ErrorCode.internalError, 'internal error');
    }
    call.settle(response);
  }

  /** Reads the answer on, and answers the questions that clients have received. */
  private async resume(call: TakenOverCall, taken: TakenCall, connector: Connector): Promise<RpcResponse> {
    const { plane } = this;
    const { position, startedAt } = taken.upstream;
    const questions = call.listQuestions();
    const request = { plane, call, connector, target: '', followedSince: startedAt };
    const content = new CallContent(plane, connector);
    const resumed = plane.upstreams.resume(createTarget(connector, call.user), position, {
      ...createForwarding(request, call.capabilities, content),
      // A question of the other replica may still be open.
      idleTimeoutMs: questions.length > 0 ? Infinity : plane.limits.callMs,
      totalTimeoutMs: plane.limits.callTotalMs,
    });
    for (const { id, question } of questions)
      void call
        .awaitAnswer(id, question)
        .then(async (answer) => respond(resumed, call, await content.sendResponse(answer)))
        .catch(() => undefined);
    // An answer may have arrived before this replica had the question.
    plane.replicas
      .readMessages(taken.sessionId)
      .then((messages) => messages.forEach((message) => this.sessions.receive(message)))
      .catch(() => undefined);
    const response = await content.receiveResponse(await resumed.response);
    await content.settle();
    return response;
  }

  /** The response for the client. All its URIs are qualified, so that no rights are needed here. */
  private toClientResponse({ requestId, owner }: TakenCall, connector: Connector, received: RpcResponse): RpcResponse {
    if ('error' in received) {
      const { code, message, data } = received.error;
      return createErrorResponse(requestId, code, message.slice(0, MAX_MESSAGE_LENGTH), data);
    }
    const own = removeReservedMeta(requireValidResult('tools/call', received.result));
    if (!isFinal(own) || readCreatedTask(own) !== undefined) throw new Error('the response is not final');
    const limits = this.plane.directory.getRules()?.limits.findOfConnector(connector.id);
    const limited: JsonObject = limitResult(connector, own, limits?.resultBytes);
    const result = owner.slug === null ? mapUris(limited, (uri) => qualifyUri(connector.slug, uri)) : limited;
    return { jsonrpc: '2.0', id: requestId, result };
  }

  /** The connector, if it still has the address and authentication with which the call runs. */
  private findConnector({ upstream }: TakenCall): Connector | undefined {
    const connectors = this.plane.directory.getRules()?.connectors ?? [];
    return connectors.find(
      ({ id, endpoint, auth, violation }) =>
        id === upstream.connectorId &&
        endpoint === upstream.endpoint &&
        auth.type === upstream.authType &&
        violation === undefined,
    );
  }
}

/** Answers the upstream, unless the call has ended. */
async function respond(resumed: ResumedRequest, call: TakenOverCall, answer: RpcResponse): Promise<void> {
  if (!call.signal.aborted) await resumed.respond(answer);
}
