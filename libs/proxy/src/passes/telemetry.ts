/**
 * Traces and measures each request, from the last pass that decides on it to the end of its answer.
 * The server gets the context of the trace: over HTTP in headers, on standard streams in `_meta`.
 */
import { EVENT_STREAM } from '@gatehouse/mcp/event-stream';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import { addMeta } from '@gatehouse/mcp/meta';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass } from '../pipeline/passes.ts';
import type { ServerTransport, Telemetry, TraceContext } from '../pipeline/telemetry.ts';

/** Creates the pass. @param transport that of the server */
export function createTelemetryPass(telemetry: Telemetry, transport: ServerTransport): Pass {
  return {
    name: 'telemetry',
    enter(exchange) {
      exchange.isMeasured = true;
      if (exchange.method === 'GET' && exchange.request.headers.accept?.includes(EVENT_STREAM) === true) {
        exchange.onEnd(telemetry.openStream(exchange, transport));
        return 'next';
      }
      const operation = telemetry.begin(exchange, transport);
      if (exchange.message?.kind === 'request') {
        exchange.observeAnswer({ observe: (message) => operation.readMessage(message) });
      }
      exchange.onEnd(() => operation.end());
      if (operation.context !== undefined) passContext(exchange, operation.context, transport);
      return 'next';
    },
  };
}

function passContext(exchange: Exchange, { traceparent, tracestate }: TraceContext, transport: ServerTransport): void {
  if (transport !== 'stdio') {
    exchange.changeHeader('traceparent', traceparent);
    exchange.changeHeader('tracestate', tracestate);
    return;
  }
  const { message: read } = exchange;
  // The `initialize` of a session starts a process, which outlives its trace.
  if (read?.kind !== 'request' || read.message.method === 'initialize') return;
  const params = addMeta(read.message.params, { traceparent });
  const meta = params['_meta'] as JsonObject;
  if (tracestate === undefined) delete meta['tracestate'];
  else meta['tracestate'] = tracestate;
  exchange.message = { kind: 'request', message: { ...read.message, params } };
}
