/** A collector of OTLP over HTTP that decodes what it receives. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import protobuf from 'protobufjs';

/** The published messages (opentelemetry-proto 1.x), with the fields that tests read. */
const SCHEMA = `
syntax = "proto3";
message AnyValue {
  oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
}
message KeyValue { string key = 1; AnyValue value = 2; }
message Resource { repeated KeyValue attributes = 1; }
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { string message = 2; int32 code = 3; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
  int32 kind = 6; repeated KeyValue attributes = 9; repeated Link links = 13; Status status = 15;
}
message ScopeSpans { repeated Span spans = 2; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message TracesData { repeated ResourceSpans resource_spans = 1; }
message NumberDataPoint {
  oneof value { double as_double = 4; sfixed64 as_int = 6; }
  repeated KeyValue attributes = 7;
}
message HistogramDataPoint { fixed64 count = 4; repeated KeyValue attributes = 9; }
message Sum { repeated NumberDataPoint data_points = 1; }
message Histogram { repeated HistogramDataPoint data_points = 1; }
message Metric { string name = 1; oneof data { Sum sum = 7; Histogram histogram = 9; } }
message ScopeMetrics { repeated Metric metrics = 2; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
message MetricsData { repeated ResourceMetrics resource_metrics = 1; }
`;

/** Attributes by name. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A received span. Ids are hexadecimal. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: it has no parent. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly kind: number;
  readonly attributes: Attributes;
  readonly links: readonly { readonly spanId: string }[];
  readonly status: { readonly code: number; readonly message: string };
}

/** A received value of a metric: a sum, or the count of a histogram. */
export interface ReceivedPoint {
  readonly name: string;
  readonly value: number;
  readonly attributes: Attributes;
}

interface KeyValue {
  key: string;
  value: Record<string, string | number | boolean>;
}
interface Decoded {
  resource?: { attributes?: KeyValue[] };
  scopeSpans?: {
    spans?: (Omit<ReceivedSpan, 'attributes' | 'status'> & { attributes?: KeyValue[]; status?: object })[];
  }[];
  scopeMetrics?: { metrics?: { name: string; sum?: Points; histogram?: Points }[] }[];
}
interface Points {
  dataPoints?: { attributes?: KeyValue[]; asDouble?: number; asInt?: string; count?: string }[];
}

/** A collector on a port of this machine. */
export class OtlpCollector {
  readonly spans: ReceivedSpan[] = [];
  readonly points: ReceivedPoint[] = [];
  readonly resources: Attributes[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** Whether requests get no answer. */
  isSilent = false;
  readonly #types = protobuf.parse(SCHEMA).root;
  readonly #server = createServer((request, response) => {
    this.headers.push(request.headers);
    void buffer(request).then((body) => {
      if (this.isSilent) return;
      if (request.url === '/v1/traces') this.#readTraces(body);
      else if (request.url === '/v1/metrics') this.#readMetrics(body);
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });

  /** Starts a collector. */
  static async start(): Promise<OtlpCollector> {
    const collector = new OtlpCollector();
    collector.#server.listen(0, '127.0.0.1');
    await once(collector.#server, 'listening');
    return collector;
  }

  /** The host and the port. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The names of the spans, sorted. */
  get names(): string[] {
    return this.spans.map(({ name }) => name).toSorted();
  }

  /** Finds a span by its name. @throws Error with the names of all spans */
  getSpan(name: string): ReceivedSpan {
    const span = this.spans.find((each) => each.name === name);
    if (span === undefined) throw new Error(`no span ${name} among ${this.names.join(', ')}`);
    return span;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #decode(type: string, body: Buffer): Record<string, Decoded[]> {
    const found = this.#types.lookupType(type);
    return found.toObject(found.decode(body), { longs: String, bytes: String, defaults: true });
  }

  #readTraces(body: Buffer): void {
    for (const { resource, scopeSpans = [] } of this.#decode('TracesData', body)['resourceSpans'] ?? []) {
      this.resources.push(toAttributes(resource?.attributes));
      for (const span of scopeSpans.flatMap(({ spans = [] }) => spans)) {
        this.spans.push({
          ...span,
          traceId: toHex(span.traceId),
          spanId: toHex(span.spanId),
          parentSpanId: toHex(span.parentSpanId),
          links: span.links.map(({ spanId }) => ({ spanId: toHex(spanId) })),
          attributes: toAttributes(span.attributes),
          status: { code: 0, message: '', ...span.status },
        });
      }
    }
  }

  #readMetrics(body: Buffer): void {
    for (const { resource, scopeMetrics = [] } of this.#decode('MetricsData', body)['resourceMetrics'] ?? []) {
      this.resources.push(toAttributes(resource?.attributes));
      for (const { name, sum, histogram } of scopeMetrics.flatMap(({ metrics = [] }) => metrics))
        for (const { attributes, asDouble, asInt, count } of (sum ?? histogram)?.dataPoints ?? [])
          this.points.push({ name, value: Number(asDouble ?? asInt ?? count), attributes: toAttributes(attributes) });
    }
  }
}

const toHex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

const toAttributes = (list: readonly KeyValue[] = []): Attributes =>
  Object.fromEntries(
    list.map(({ key, value }) => {
      const [kind, text = ''] = Object.entries(value)[0] ?? [];
      return [key, kind === 'intValue' ? Number(text) : text];
    }),
  );
