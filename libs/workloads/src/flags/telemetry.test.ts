import { describe, expect, it } from '@jest/globals';
import { parseTelemetryFlags, type TelemetryFlags } from './telemetry.ts';

const parse = (flags: TelemetryFlags) => parseTelemetryFlags(flags, 'files');
const ENDPOINT = { otelEndpoint: 'https://otel.example.com:4318' };

describe('the flags of telemetry', () => {
  it('turn nothing on without a collector and without metrics for Prometheus', () => {
    expect(parse({})).toEqual({ config: undefined, warnings: [] });
    expect(parse({ otelInsecure: false, otelTracingEnabled: false }).config).toBeUndefined();
  });

  it('have the defaults of the specification', () => {
    expect(parse(ENDPOINT)).toEqual({
      config: {
        endpoint: 'otel.example.com:4318',
        insecure: false,
        serviceName: 'gatehouse-files',
        tracingEnabled: true,
        metricsEnabled: true,
        samplingRate: '0.1',
        enablePrometheusMetricsPath: false,
        useLegacyAttributes: true,
      },
      warnings: [],
    });
  });

  it('become the section of an exported configuration', () => {
    const flags = {
      ...{ otelEndpoint: 'http://otel.example.com/base/', otelInsecure: true, otelServiceName: 'mine' },
      otelHeaders: ['api-key=a=b,c', 'X-Scope=1'],
      otelCustomAttributes: 'team=blue, place=here',
      otelEnvVars: ['STAGE,REGION', 'STAGE'],
      ...{ otelSamplingRate: '1.0', otelTracingEnabled: true, otelMetricsEnabled: false },
      ...{ otelEnablePrometheusMetricsPath: true, otelMetricsOnTransportPort: false, otelUseLegacyAttributes: false },
    };
    expect(parse(flags)).toEqual({
      config: {
        endpoint: 'otel.example.com/base',
        insecure: true,
        headers: { 'api-key': 'a=b,c', 'X-Scope': '1' },
        serviceName: 'mine',
        tracingEnabled: true,
        metricsEnabled: false,
        samplingRate: '1.0',
        enablePrometheusMetricsPath: true,
        metricsOnTransportPort: false,
        environmentVariables: ['STAGE', 'REGION'],
        customAttributes: { team: 'blue', place: 'here' },
        useLegacyAttributes: false,
      },
      warnings: [],
    });
  });

  it('warn that all clients can read the metrics', () => {
    const { config, warnings } = parse({ otelEnablePrometheusMetricsPath: true });
    expect(config).toMatchObject({ metricsOnTransportPort: true });
    expect(warnings).toEqual([expect.stringContaining('--otel-metrics-on-transport-port=false')]);
    expect(parse({ otelEnablePrometheusMetricsPath: true, otelMetricsOnTransportPort: true }).warnings).toEqual([]);
  });

  it.each([
    ['--otel-endpoint ftp://a', { otelEndpoint: 'ftp://a' }],
    ['--otel-endpoint http://a', { otelEndpoint: 'http://a' }],
    ['--otel-endpoint a b', { otelEndpoint: 'a b' }],
    ['--otel-endpoint https://a?x=1', { otelEndpoint: 'https://a?x=1' }],
    ['--otel-endpoint has a user name', { otelEndpoint: 'https://a:canary@b' }],
    ['--otel-endpoint https://a', { otelEndpoint: 'https://a', otelTracingEnabled: false, otelMetricsEnabled: false }],
    ['--otel-headers has a header', { ...ENDPOINT, otelHeaders: ['canary'] }],
    ['--otel-headers a b=…', { ...ENDPOINT, otelHeaders: ['a b=canary'] }],
    ['--otel-headers a=…', { ...ENDPOINT, otelHeaders: ['a=canary\n'] }],
    ['--otel-headers A=…', { ...ENDPOINT, otelHeaders: ['a=1', 'A=canary'] }],
    ['--otel-headers Content-Type=…', { ...ENDPOINT, otelHeaders: ['Content-Type=canary'] }],
    ['--otel-custom-attributes team', { ...ENDPOINT, otelCustomAttributes: 'team' }],
    ['--otel-custom-attributes a=1,=2', { ...ENDPOINT, otelCustomAttributes: 'a=1,=2' }],
    ['--otel-env-vars A', { ...ENDPOINT, otelEnvVars: ['A=canary'] }],
    ['--otel-env-vars ', { ...ENDPOINT, otelEnvVars: ['A,,B'] }],
    ['--otel-sampling-rate 1.1', { ...ENDPOINT, otelSamplingRate: '1.1' }],
    ['--otel-sampling-rate -1', { ...ENDPOINT, otelSamplingRate: '-1' }],
    ['--otel-sampling-rate many', { ...ENDPOINT, otelSamplingRate: 'many' }],
    ['--otel-insecure has no effect', { otelInsecure: true }],
    ['--otel-headers has no effect', { otelHeaders: ['a=b'], otelEnablePrometheusMetricsPath: true }],
    ['--otel-service-name has no effect', { otelServiceName: 'x' }],
    ['--otel-use-legacy-attributes has no effect', { otelUseLegacyAttributes: true }],
    ['--otel-metrics-on-transport-port has no effect', { ...ENDPOINT, otelMetricsOnTransportPort: true }],
  ])('are refused with %s, without the values of headers', (typed, flags) => {
    expect(() => parse(flags)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(typed) }),
    );
    expect(() => parse(flags)).not.toThrow('canary');
  });
});
