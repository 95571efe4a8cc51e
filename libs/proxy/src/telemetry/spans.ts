/** The spans of exchanges, and the context of their traces. */
import { defaultTextMapGetter, defaultTextMapSetter, isSpanContextValid } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Span, SpanContext, Tracer } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { getMeta } from '@gatehouse/mcp/meta';
import type { Exchange } from '../pipeline/exchange.ts';
import { type KnownNames, OTHER } from './known-names.ts';
import { isMcpMethod } from './mcp-methods.ts';
import type { OperationEnd, OperationStart } from './operation.ts';
import { createEndAttributes, createStartAttributes, type SpanSettings } from './span-attributes.ts';
import type { TraceContext } from '../pipeline/telemetry.ts';

const propagator = new W3CTraceContextPropagator();

/** Begins and ends the spans of one server. */
export class Spans {
  constructor(
    private readonly tracer: Tracer,
    private readonly settings: SpanSettings,
    private readonly names: KnownNames,
  ) {}

  /** Begins the span of a request, as a child of the span in its `_meta`, else in its headers. */
  begin(exchange: Exchange, start: OperationStart): Span {
    const { headers } = exchange.request;
    const ambient = readContext(headers);
    const sent = readContext(getMeta(start.params));
    const parent = sent ?? ambient;
    const links = sent !== undefined && ambient !== undefined && sent.spanId !== ambient.spanId ? [ambient] : [];
    const span = this.tracer.startSpan(
      getHttpName(exchange),
      { kind: SpanKind.SERVER, links: links.map((linked) => ({ context: linked })) },
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
    if (span.isRecording()) span.setAttributes(createStartAttributes(exchange, start, this.settings));
    return span;
  }

  /** Ends the span of a request. Its name has only names that exist. */
  end(span: Span, exchange: Exchange, start: OperationStart, end: OperationEnd): void {
    if (span.isRecording()) {
      span.setAttributes(createEndAttributes(end, start, this.settings));
      span.updateName(this.#getName(exchange, start, end));
      if (end.errorType === undefined) span.setStatus({ code: SpanStatusCode.OK });
      else if (isFailure(end)) span.setStatus({ code: SpanStatusCode.ERROR, message: describeError(end) });
    }
    span.end();
  }

  /** Records the start of a stream that a GET opens. */
  recordStream(exchange: Exchange, start: OperationStart): void {
    const span = this.begin(exchange, start);
    if (exchange.path.endsWith('/sse')) span.updateName('sse.connection_established');
    if (span.isRecording()) span.setAttribute('http.response.status_code', exchange.response.statusCode);
    span.end();
  }

  #getName(exchange: Exchange, { method, target }: OperationStart, { status }: OperationEnd): string {
    if (method === undefined) return status >= 400 ? exchange.method : getHttpName(exchange);
    if (!isMcpMethod(method)) return OTHER;
    if (target === undefined || target.kind === 'resource') return method;
    const name = this.names.toLabel(target.kind, target.name);
    return name === OTHER ? method : `${method} ${name}`;
  }
}

/** Writes the context of a span for the server. */
export function writeContext(span: Span): TraceContext {
  const carrier: Record<string, string> = {};
  propagator.inject(trace.setSpan(ROOT_CONTEXT, span), carrier, defaultTextMapSetter);
  return carrier;
}

function readContext(carrier: Readonly<Record<string, unknown>> | undefined): SpanContext | undefined {
  const { traceparent, tracestate } = carrier ?? {};
  if (typeof traceparent !== 'string') return undefined;
  const fields = { traceparent, ...(typeof tracestate === 'string' && { tracestate }) };
  const extracted: Context = propagator.extract(ROOT_CONTEXT, fields, defaultTextMapGetter);
  const found = trace.getSpanContext(extracted);
  return found !== undefined && isSpanContextValid(found) ? found : undefined;
}

const getHttpName = ({ method, path }: Exchange): string => `${method} ${path.slice(0, 64)}`;

/** An error of the caller in HTTP is none of the server (conventions for HTTP). */
const isFailure = ({ status, errorType, rpcCode }: OperationEnd): boolean =>
  status >= 500 || rpcCode !== undefined || errorType === 'tool_error';

const describeError = ({ status, errorType }: OperationEnd): string =>
  status >= 500 ? `HTTP ${status}` : errorType === 'tool_error' ? 'tool error' : `JSON-RPC error ${errorType ?? ''}`;
