import { rootCertificates } from 'node:tls';
import type { CollectorOptions } from './telemetry-options.ts';

/** Time for one request to the collector, with its repetitions. */
const TIMEOUT_MS = 10_000;
/** Requests to the collector at the same time. Further ones are dropped. */
const MAX_REQUESTS = 4;

/** Creates the settings of an exporter. @param path that of the signal */
export function createExporterSettings({ url, headers, certificates, timeoutMs }: CollectorOptions, path: string) {
  return {
    url: `${url.replace(/\/+$/, '')}/${path}`,
    headers: { ...headers },
    timeoutMillis: timeoutMs ?? TIMEOUT_MS,
    concurrencyLimit: MAX_REQUESTS,
    ...(certificates !== undefined && { httpAgentOptions: { ca: [...rootCertificates, certificates] } }),
  };
}
