import type { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { listClientReferences } from '../configuration/client-secrets.ts';
import { listHeaderReferences } from '../configuration/configured-headers.ts';
import { listTelemetryReferences } from '../configuration/telemetry-headers.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { listWebhookSecrets } from '../flags/configured-webhooks.ts';

/**
 * Lists the secrets that a configuration refers to, for the server and for its proxy.
 * @throws WorkloadError (failed) for a secret in clear
 */
export const listReferences = (config: RunConfig): SecretReference[] => [
  ...(config.secrets ?? []),
  ...listWebhookSecrets(config),
  ...listHeaderReferences(config),
  ...listTelemetryReferences(config),
  ...Object.values(listClientReferences(config)),
];
