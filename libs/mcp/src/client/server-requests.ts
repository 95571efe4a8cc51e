import { createErrorResponse, ErrorCode, type RequestId } from '../errors.ts';
import type { RpcRequest, RpcResponse } from '../json-rpc.ts';
import type { AnswerRequest } from './connection.ts';

/** Maximum number of requests of a server that are answered at the same time. */
export const MAX_SERVER_REQUESTS = 100;

/**
 * Answers the requests of a server: `ping` itself, all others with the function of the caller.
 * Without this function, and after an error of it, the server gets a JSON-RPC error.
 */
export class ServerRequests {
  private readonly open = new Map<RequestId, AbortController>();

  /** @param send sends a response to the server */
  constructor(
    private readonly answer: AnswerRequest | undefined,
    private readonly send: (response: RpcResponse) => Promise<unknown>,
  ) {}

  /** Whether the server waits for an answer. */
  get isOpen(): boolean {
    return this.open.size > 0;
  }

  /** Answers a request. @returns false when too many are open; the request gets no answer */
  receive(message: RpcRequest): boolean {
    const { id } = message;
    if (this.open.size >= MAX_SERVER_REQUESTS) return false;
    if (this.open.has(id)) return true;
    const controller = new AbortController();
    this.open.set(id, controller);
    void this.respond(message, controller.signal).finally(() => this.open.delete(id));
    return true;
  }

  /** Aborts the answer to a request that the server has cancelled. */
  cancel(id: unknown): void {
    const controller = this.open.get(id as RequestId);
    if (controller === undefined) return;
    controller.abort(new Error('the server cancelled its request'));
  }

  /** Aborts the answers to all requests. */
  end(): void {
    for (const controller of this.open.values()) controller.abort(new Error('the request has ended'));
  }

  private async respond(message: RpcRequest, signal: AbortSignal): Promise<void> {
    const response = await this.createResponse(message, signal);
    // The server expects no response to a request that it cancelled.
    if (!signal.aborted) await this.send({ ...response, id: message.id }).catch(() => undefined);
  }

  private async createResponse(message: RpcRequest, signal: AbortSignal): Promise<RpcResponse> {
    const { id, method } = message;
    if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
    if (this.answer === undefined)
      return createErrorResponse(id, ErrorCode.methodNotFound, `This client does not answer ${method} here.`);
    try {
      return await this.answer(message, signal);
    } catch {
      return createErrorResponse(id, ErrorCode.internalError, `The client could not answer ${method}.`);
    }
  }
}
