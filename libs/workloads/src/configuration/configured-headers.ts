import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { WorkloadError } from '../errors/workload-error.ts';
import type { RemoteSections } from '../flags/remote-sections.ts';

/** Lists the secrets of the headers. The target of each reference is its header. */
export const listHeaderReferences = ({ header_forward: section }: RemoteSections): SecretReference[] =>
  Object.entries(section?.add_headers_from_secret ?? {}).map(([header, name]) =>
    SecretReference.parse(`${name},target=${header}`, '--remote-forward-headers-secret'),
  );

/** Names the secret that a start of a workload stores for the value of a header. */
export const nameStoredHeader = (header: string, workload: string): string => `HEADER_${header}_${workload}`;

/** Lists the headers with their values that are not stored as secrets yet. */
export function listPlainHeaders({ header_forward: section }: RemoteSections): [string, string][] {
  const stored = new Set(Object.keys(section?.add_headers_from_secret ?? {}).map((name) => name.toLowerCase()));
  return Object.entries(section?.add_plaintext_headers ?? {}).filter(([name]) => !stored.has(name.toLowerCase()));
}

/** Replaces the values of headers by the names of their secrets. */
export function replacePlainHeaders<T extends RemoteSections>(sections: T, names: Readonly<Record<string, string>>): T {
  const { add_plaintext_headers: plain, ...rest } = sections.header_forward ?? {};
  if (plain == null) return sections;
  const secrets = { ...rest.add_headers_from_secret, ...names };
  return { ...sections, header_forward: { ...rest, add_headers_from_secret: secrets } };
}

/** @throws WorkloadError (failed) for a header in clear, which no file of Gatehouse may have */
export function requireStoredHeaders(sections: RemoteSections): void {
  const [plain] = listPlainHeaders(sections);
  if (plain === undefined) return;
  throw new WorkloadError('failed', `header_forward.add_plaintext_headers has the header ${plain[0]} in clear`, [
    'gatehouse secret set NAME   stores it; write NAME in add_headers_from_secret',
  ]);
}
