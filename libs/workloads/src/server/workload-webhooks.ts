import type { ProxyOptions } from '@gatehouse/proxy/options';
import type { RunConfig } from '../configuration/run-config.ts';
import { getErrorMessage } from '../errors/workload-error.ts';
import {
  hasSecretFile,
  listWebhooks,
  listWebhookSecrets,
  requireUsableWebhooks,
} from '../flags/configured-webhooks.ts';
import type { WebhookConfig } from '../flags/webhook-schema.ts';

const DEFAULT_BODY_BYTES = 8 * 1024 * 1024;

/**
 * Opens the webhooks of a workload; undefined when its configuration has none.
 * @param readSecrets reads the secrets of {@link listWebhookSecrets} by target
 * @throws WorkloadError, SecretsError
 */
export async function openWebhooksOf(
  config: RunConfig,
  readSecrets: () => Promise<Readonly<Record<string, string>>>,
  log: (line: string) => void,
): Promise<ProxyOptions['webhooks']> {
  if (listWebhooks(config).length === 0) return undefined;
  await requireUsableWebhooks(config);
  const { openWebhooks } = await import('@gatehouse/proxy/webhooks/open-webhooks');
  const { getTimeoutMs, readCertificateFile, readKeyFile, readSecretFile, parseSecretName } =
    await import('../flags/check-webhook.ts');
  const references = listWebhookSecrets(config);
  const values = await readSecrets();
  const secrets = new Map(references.map(({ name, target }) => [name, values[target] ?? '']));
  const createOptions = (webhook: WebhookConfig) => {
    const { name, url, failure_policy: failurePolicy, tls_config: tls, hmac_secret_ref: reference } = webhook;
    const { ca_bundle_path: ca, client_cert_path: cert, client_key_path: key } = tls ?? {};
    const getSecret = () =>
      hasSecretFile(webhook) ? readSecretFile(reference ?? '') : (secrets.get(parseSecretName(reference ?? '')) ?? '');
    return {
      ...{ name, url, failurePolicy, timeoutMs: getTimeoutMs(webhook) },
      isInsecure: tls?.insecure_skip_verify ?? false,
      tls: {
        ...(ca && { ca: readCertificateFile(ca) }),
        ...(cert && key && { cert: readCertificateFile(cert), key: readKeyFile(key) }),
      },
      ...(reference && { getSecret }),
    };
  };
  return openWebhooks({
    mutating: (config.mutating_webhooks ?? []).map(createOptions),
    validating: (config.validating_webhooks ?? []).map(createOptions),
    serverName: config.name,
    transport: config.transport,
    maxBodyBytes: config.max_request_body_size || DEFAULT_BODY_BYTES,
    log: ({ level, message, cause }) =>
      log(`${level} ${message}${cause === undefined ? '' : ` ${describeCause(cause)}`}`),
  });
}

/** The reasons of a failed call, outermost first. */
function describeCause(error: unknown): string {
  const reasons: string[] = [];
  for (let cause = error; cause !== undefined && reasons.length < 5; cause = (cause as { cause?: unknown }).cause) {
    reasons.push(getErrorMessage(cause));
    if (typeof cause !== 'object' || cause === null) break;
  }
  return [...new Set(reasons)].join(': ');
}
