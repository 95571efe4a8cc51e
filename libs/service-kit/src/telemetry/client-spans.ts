/** A request to another service that has ended now. */
export interface ClientSpan {
  readonly name: string;
  /** The parent: the traceparent of the request that this service serves. */
  readonly traceparent: string | undefined;
  readonly durationMs: number;
  readonly attributes: Record<string, string | number | boolean | string[]>;
  readonly hasFailed: boolean;
}

/** Sends spans of requests to other services. Without an OTLP endpoint, it does nothing. */
export class ClientSpans {
  /** @param send undefined without an OTLP endpoint */
  constructor(private readonly send?: (span: ClientSpan) => void) {}

  /** Whether spans are sent. Without that, callers need not create their attributes. */
  get isEnabled(): boolean {
    return this.send !== undefined;
  }

  record(span: ClientSpan): void {
    this.send?.(span);
  }
}
