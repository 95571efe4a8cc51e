import { HttpError } from '@gatehouse/service-kit/http-error';
import { currentRequest } from '@gatehouse/service-kit/request-context';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorWriter } from '../formats/error-response.ts';
import { type FoundModels, findOperation, type ServedFormats } from '../formats/find-operation.ts';
import { modelLists } from '../formats/models/model-lists.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { CallParts } from './call-parts.ts';
import { readCredential } from './credential.ts';
import { endEarly } from './early-answer.ts';
import { ModelCall } from './model-call.ts';

/** Serves all requests of model paths. */
export class ModelCalls {
  constructor(
    private readonly parts: CallParts,
    private readonly formats: ServedFormats,
  ) {}

  /** Serves a request. It never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const found = findOperation(this.formats, request.method ?? '', request.url ?? '', request.headers);
    const call = found.kind === 'operation' ? new ModelCall(this.parts, found, request, response) : undefined;
    const serve = async () => {
      if (found.kind === 'none') throw found.error;
      if (found.kind === 'models') await this.listModels(found, request, response);
      else await call?.run();
    };
    serve().catch((error: unknown) => {
      const failure = this.toCallError(error);
      // A client that has disconnected was not refused.
      if (call?.client.isGone !== true) this.recordRefusal(failure, call);
      if (found.kind === 'none' && found.allow !== undefined) response.setHeader('allow', found.allow);
      this.sendError(failure, found.errors, request, response);
    });
  }

  private recordRefusal(error: ModelCallError, call: ModelCall | undefined): void {
    this.parts.observer.recordRefusal({
      interactionId: call?.interactionId,
      context: call?.context ?? currentRequest(),
      operation: call?.found.operation,
      principal: call?.principal,
      model: call?.grantedModel,
      error,
    });
  }

  private async listModels(found: FoundModels, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const credential = readCredential(request, found.query);
    const gateway = this.parts.getGateway();
    const principal = await this.parts.principals.identify(credential);
    const granted = this.parts.grants.listModels(principal, gateway);
    const body = JSON.stringify(modelLists.create(found, gateway, granted));
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  }

  private sendError(
    failure: ModelCallError,
    errors: ErrorWriter,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const requestId = String(response.getHeader('x-request-id') ?? '');
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const { status, headers, body } = errors.writeError(failure, requestId);
    const challenge = failure.failure === 'unauthenticated' ? this.parts.createChallenge() : undefined;
    if (challenge !== undefined) response.setHeader('www-authenticate', challenge);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.statusCode = status;
    response.setHeader('content-length', Buffer.byteLength(body));
    endEarly(request, response, body);
  }

  private toCallError(error: unknown): ModelCallError {
    if (error instanceof ModelCallError) return error;
    if (error instanceof HttpError && error.kind === 'unavailable')
      return new ModelCallError('unavailable', 'The gateway is not ready. Try again later.', {
        reason: error.message,
        ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
      });
    this.parts.log.error({ err: error }, 'a model call failed');
    return new ModelCallError('internal', 'The gateway failed. Try again later.', { cause: error });
  }
}
