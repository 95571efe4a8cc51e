import { type Span, SpanStatusCode } from '@opentelemetry/api';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentAnswers } from './broken-http.ts';
import { RequestContext } from '../telemetry/request-context.ts';
import type { Log } from '../telemetry/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** A request that is being served. */
export interface ObservedRequest {
  context: RequestContext;
  method: string;
  /** Pattern of the route, since callers choose the text of a path. */
  route: string;
  span: Span | undefined;
}

/** The end of a request. */
export interface RequestEnd {
  status: number;
  durationMs: number;
  caller?: { issuerId: string; subject: string } | undefined;
}

/** Adds to each request of a port a log line, a duration and, if enabled, a span. */
export class RequestObserver {
  /** Requests being served now. */
  inFlight = 0;
  private readonly duration;

  constructor(private readonly parts: { log: Log; telemetry: Telemetry }) {
    this.duration = parts.telemetry.metrics.meter.createHistogram('http.server.request.duration', {
      description: 'Duration of HTTP requests',
      unit: 's',
      advice: {
        explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      },
    });
  }

  /** Begins a request. @param id request id */
  begin(request: IncomingMessage, response: ServerResponse, id: string, route: string): ObservedRequest {
    this.inFlight += 1;
    currentAnswers.set(request.socket, response);
    response.once('close', () => {
      this.inFlight -= 1;
    });
    const received = request.headers['traceparent'];
    const context = new RequestContext(id, typeof received === 'string' ? received : undefined);
    const method = request.method ?? '';
    const span = this.parts.telemetry.tracer?.begin(`${method} ${route}`, context.knownTraceparent);
    if (span) context.continueAs(span.spanContext());
    return { context, method, route, span };
  }

  /**
   * Ends a request. This runs outside of the request context, so the log line gets the fields of
   * the context here.
   */
  end({ context, method, route, span }: ObservedRequest, { status, durationMs, caller }: RequestEnd): void {
    const facts = { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status };
    this.duration.record(durationMs / 1_000, facts);
    if (span) {
      span.setAttributes(facts);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
    this.parts.log.info(
      {
        request_id: context.requestId,
        ...(context.traceId !== undefined && { trace_id: context.traceId }),
        method,
        route,
        status,
        duration_ms: Math.round(durationMs * 1e3) / 1e3,
        ...(caller && { issuer_id: caller.issuerId, subject: caller.subject }),
      },
      'request',
    );
  }
}
