import { Flags } from '@oclif/core';
import { list } from './build-flags.ts';

/** The flags of traces and metrics. */
export const telemetryFlags = {
  'otel-endpoint': Flags.string({
    description: 'URL of a collector that gets traces and metrics, in OTLP over HTTP',
  }),
  'otel-insecure': Flags.boolean({ description: 'reach the collector on http instead of https' }),
  'otel-headers': list(
    'header of requests to the collector, NAME=VALUE, stored as a secret, or NAME=SECRET,target=NAME; may be repeated',
  ),
  'otel-service-name': Flags.string({
    description: 'name of the service in traces and metrics (default: gatehouse-NAME)',
  }),
  'otel-custom-attributes': Flags.string({
    description: 'attributes of the service in traces and metrics, KEY=VALUE, separated by commas',
  }),
  'otel-env-vars': list('variables of this shell whose values are attributes of spans, separated by commas'),
  'otel-sampling-rate': Flags.string({ description: 'share of traces that is sent, from 0.0 to 1.0 (default: 0.1)' }),
  'otel-tracing-enabled': Flags.boolean({ allowNo: true, description: 'send traces to the collector (default: true)' }),
  'otel-metrics-enabled': Flags.boolean({
    allowNo: true,
    description: 'send metrics to the collector (default: true)',
  }),
  'otel-enable-prometheus-metrics-path': Flags.boolean({
    description:
      'serve /metrics for Prometheus on a port of its own: 9464, or a free one that the log of the proxy names',
  }),
  'otel-metrics-on-transport-port': Flags.boolean({
    allowNo: true,
    description: 'serve /metrics on the port of the proxy too; the default will become false (default: true)',
  }),
  'otel-use-legacy-attributes': Flags.boolean({
    allowNo: true,
    description: 'give spans the earlier names of attributes too (default: true)',
  }),
};
