import { createErrorResponse, ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import { serveMethod } from '../calls/methods.ts';
import type { Plane } from '../calls/plane.ts';
import { ServedCall, type ServedCallOptions } from './served-call.ts';

const TICK_MS = 1_000;

/** The requests that this process serves now. */
export class ServedCalls {
  private readonly calls = new Set<ServedCall>();
  private ticking: NodeJS.Timeout | undefined;

  constructor(private readonly plane: Plane) {}

  /** Number of requests without a complete response. */
  get size(): number {
    return this.calls.size;
  }

  /** Starts to open the streams of slow responses. */
  start(): void {
    this.ticking = setInterval(() => {
      const now = this.plane.now().getTime();
      for (const call of this.calls) call.tick(now);
    }, TICK_MS).unref();
  }

  close(): void {
    clearInterval(this.ticking);
  }

  /** Binds a request to its HTTP response. */
  open(options: Omit<ServedCallOptions, 'now' | 'streams' | 'onFinished'>): ServedCall {
    const call = new ServedCall({
      ...options,
      streams: this.plane.streams,
      now: this.plane.now().getTime(),
      onFinished: (finished) => this.calls.delete(finished),
    });
    this.calls.add(call);
    return call;
  }

  /**
   * Serves a request and sends its response.
   * @param serveOwn serves the methods of one era; undefined for the methods of both
   */
  async serve(
    call: ServedCall,
    serveOwn: (method: string) => JsonObject | Promise<JsonObject> | undefined,
  ): Promise<void> {
    try {
      const result = await (serveOwn(call.method) ?? serveMethod(this.plane, call));
      call.settle({ jsonrpc: '2.0', id: call.id, result });
    } catch (error) {
      const { rpcCode, message, data } = error instanceof RpcError ? error : this.reportFailure(error);
      call.settle(createErrorResponse(call.id, rpcCode, message, data));
    }
  }

  private reportFailure(error: unknown): RpcError {
    this.plane.log.error({ err: error }, 'a request failed');
    return new RpcError(ErrorCode.internalError, 'internal error');
  }
}
