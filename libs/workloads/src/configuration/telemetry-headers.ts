import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { WorkloadError } from '../errors/workload-error.ts';
import type { TelemetrySections } from '../flags/telemetry-section.ts';
import { isReference } from './client-secrets.ts';

/** Lists the secrets of the headers for the collector. The target of each is its header. */
export const listTelemetryReferences = ({ telemetry_config: section }: TelemetrySections): SecretReference[] =>
  Object.entries(section?.headers ?? {})
    .filter(([, value]) => isReference(value))
    .map(([header, value]) => {
      const { name } = SecretReference.parse(value, `telemetry_config.headers.${header}`);
      return SecretReference.parse(`${name},target=${header}`, '--otel-headers');
    });

/** Names the secret that a start of a workload stores for the value of a header. */
export const nameStoredTelemetryHeader = (header: string, workload: string): string =>
  `OTEL_HEADER_${header}_${workload}`;

/** Lists the headers with their values that are not stored as secrets yet. */
export const listPlainTelemetryHeaders = ({ telemetry_config: section }: TelemetrySections): [string, string][] =>
  Object.entries(section?.headers ?? {}).filter(([, value]) => !isReference(value));

/** Replaces the values of headers by the names of their secrets. */
export function replaceTelemetryHeaders<T extends TelemetrySections>(
  sections: T,
  names: Readonly<Record<string, string>>,
): T {
  const { telemetry_config: section } = sections;
  if (section == null || Object.keys(names).length === 0) return sections;
  const references = Object.entries(names).map(([header, name]) => [header, `${name},target=${header}`]);
  const headers = { ...section.headers, ...(Object.fromEntries(references) as Record<string, string>) };
  return { ...sections, telemetry_config: { ...section, headers } };
}

/** @throws WorkloadError (failed) for a header in clear, which no file of Gatehouse may have */
export function requireStoredTelemetryHeaders(sections: TelemetrySections): void {
  const [plain] = listPlainTelemetryHeaders(sections);
  if (plain === undefined) return;
  throw new WorkloadError('failed', `telemetry_config.headers has the header ${plain[0]} in clear`, [
    `gatehouse secret set NAME   stores it; write NAME,target=${plain[0]} in its place`,
  ]);
}
