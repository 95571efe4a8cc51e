/** The settings of the telemetry of one server. */
export interface TelemetryOptions {
  /** The name of the server, a label of its metrics. */
  readonly server: string;
  readonly serviceName: string;
  readonly serviceVersion?: string;
  /** Attributes of the resource. */
  readonly resource?: Readonly<Record<string, string>>;
  /** Attributes of every span. */
  readonly spanAttributes?: Readonly<Record<string, string>>;
  /** The collector of OTLP over HTTP; undefined: nothing is sent. */
  readonly collector?: CollectorOptions;
  /** Whether {@link OpenedTelemetry.metrics} has metrics in the format of Prometheus. */
  readonly hasPrometheus: boolean;
  /** Default true. */
  readonly usesLegacyAttributes?: boolean;
  /** Whether X-Forwarded-For names the client. Default false. */
  readonly trustsProxyHeaders?: boolean;
  readonly log: (level: 'info' | 'warn', message: string) => void;
}

/** A collector of OTLP over HTTP. */
export interface CollectorOptions {
  /** The base URL, to which `/v1/traces` and `/v1/metrics` are added. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates that are trusted besides those of the system, PEM. */
  readonly certificates?: string;
  /** The share of traces without a parent that is sent, 0 to 1; undefined: no traces. */
  readonly samplingRate: number | undefined;
  readonly sendsMetrics: boolean;
  /** Time of one request with its repetitions. Default 10 000. */
  readonly timeoutMs?: number;
  /** Default 60 000. */
  readonly metricsIntervalMs?: number;
}
