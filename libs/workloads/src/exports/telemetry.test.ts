import { describe, expect, it } from '@jest/globals';
import { EXPORTED_IMAGE } from '../configuration/exported-configs.fixture.ts';
import { writeRunConfig } from '../configuration/run-config.ts';
import { listTelemetryReferences, replaceTelemetryHeaders } from '../configuration/telemetry-headers.ts';
import { exportConfig } from './export-config.ts';
import { importConfig } from './import-config.ts';

/** The section as another tool writes it. */
const TELEMETRY = {
  endpoint: 'otel.example:4318',
  serviceName: 'thv-x',
  serviceVersion: '1.2.3',
  tracingEnabled: true,
  metricsEnabled: true,
  samplingRate: '0.05',
  headers: { 'X-Key': 'canary' },
  insecure: false,
  enablePrometheusMetricsPath: false,
  prometheusPort: 0,
  environmentVariables: ['STAGE'],
  customAttributes: null,
  useLegacyAttributes: true,
  caCertPath: '',
  ofTomorrow: 1,
};
const MIDDLEWARE = [
  { type: 'bodylimit', parameters: {} },
  { type: 'telemetry', parameters: { config: TELEMETRY, server_name: 'x', transport: 'stdio' } },
];

const read = (fields: object) => readDocument(JSON.stringify({ ...EXPORTED_IMAGE, ...fields }));
const readDocument = (document: string) =>
  importConfig(document, {
    ...{ path: 'file.json', name: undefined, group: undefined, debug: false, folder: '/' },
    addBuildDefaults: (_, flags) => flags,
  }).config;

describe('an imported configuration with telemetry', () => {
  it.each([
    ['the section', { telemetry_config: TELEMETRY }],
    ['middleware', { middleware_configs: MIDDLEWARE }],
    ['both', { telemetry_config: TELEMETRY, middleware_configs: MIDDLEWARE }],
  ])('is read from %s, and is written with references only', (_, fields) => {
    const config = read(fields);
    expect(() => writeRunConfig(config)).toThrow('telemetry_config.headers has the header X-Key in clear');
    const stored = replaceTelemetryHeaders(config, { 'X-Key': 'KEY_of_x' });
    const { document } = exportConfig(stored);
    expect(document).not.toContain('canary');
    const written = { ...TELEMETRY, headers: { 'X-Key': 'KEY_of_x,target=X-Key' } };
    expect(JSON.parse(document)).toMatchObject({ telemetry_config: written });
    expect(readDocument(document)).toMatchObject({ telemetry_config: stored.telemetry_config });
    expect(listTelemetryReferences(stored).map(String)).toEqual(['KEY_of_x,target=X-Key']);
  });

  it('keeps a section that turns nothing on', () => {
    const off = { endpoint: '', samplingRate: '0.1', tracingEnabled: false, enablePrometheusMetricsPath: false };
    expect(read({ telemetry_config: off })).toMatchObject({ telemetry_config: off });
    expect(read({ telemetry_config: null })).toMatchObject({ telemetry_config: null });
  });

  it.each([
    ['telemetry_config.endpoint http://a', { endpoint: 'http://a' }],
    ['telemetry_config.samplingRate must be a number', { samplingRate: '2' }],
    ['telemetry_config.headers Host=…', { headers: { Host: 'canary' } }],
    ['telemetry_config.environmentVariables', { environmentVariables: ['a b'] }],
  ])('is refused with %s', (message, fields) => {
    const config = { telemetry_config: { ...TELEMETRY, headers: {}, ...fields } };
    expect(() => read(config)).toThrow(message);
    expect(() => read(config)).not.toThrow('canary');
  });
});
