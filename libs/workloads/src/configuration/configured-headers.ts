import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import type { RunConfig } from './run-config.ts';

/** The headers of a configuration whose values are secrets, by the names of the headers. */
const getHeaderSecrets = ({ header_forward: section }: Pick<RunConfig, 'header_forward'>): [string, string][] =>
  Object.entries((section?.['add_headers_from_secret'] ?? {}) as Record<string, string>);

/** Lists the secrets of the headers. The target of each reference is its header. */
export const listHeaderReferences = (config: Pick<RunConfig, 'header_forward'>): SecretReference[] =>
  getHeaderSecrets(config).map(([header, name]) =>
    SecretReference.parse(`${name},target=${header}`, '--remote-forward-headers-secret'),
  );
