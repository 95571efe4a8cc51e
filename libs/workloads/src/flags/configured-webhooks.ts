import { isAbsolute } from 'node:path';
import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { WorkloadError } from '../errors/workload-error.ts';
import type { WebhookConfig } from './webhook-schema.ts';

/** The members of a configuration with webhooks. */
interface Sections {
  readonly mutating_webhooks?: readonly WebhookConfig[] | null | undefined;
  readonly validating_webhooks?: readonly WebhookConfig[] | null | undefined;
}

/** Lists the webhooks of a configuration with the members that have them. */
export const listWebhooks = ({ mutating_webhooks: mutating, validating_webhooks: validating }: Sections) => [
  ...(mutating ?? []).map((webhook, index) => ({ webhook, member: `mutating_webhooks.${index}` })),
  ...(validating ?? []).map((webhook, index) => ({ webhook, member: `validating_webhooks.${index}` })),
];

/** Whether the secret of the signature of a webhook is in a file. */
export const hasSecretFile = ({ hmac_secret_ref: reference }: WebhookConfig): boolean => isAbsolute(reference ?? '');

/** Lists the secrets of the signatures of webhooks. Each has its own name as the target. */
export function listWebhookSecrets(config: Sections): SecretReference[] {
  const references = listWebhooks(config)
    .filter(({ webhook }) => webhook.hmac_secret_ref && !hasSecretFile(webhook))
    .map(({ webhook: { hmac_secret_ref: text } }) => text ?? '');
  return references.map((text, index) =>
    SecretReference.parse(`${text.split(',')[0] ?? ''},target=WEBHOOK_${index}`, 'hmac_secret_ref'),
  );
}

/**
 * Requires that the webhooks of a workload can be called, before anything starts.
 * @throws WorkloadError (usage) that names the member
 */
export async function requireUsableWebhooks(config: Sections): Promise<void> {
  const webhooks = listWebhooks(config);
  if (webhooks.length === 0) return;
  const { findWebhookProblem } = await import('./check-webhook.ts');
  for (const { webhook, member } of webhooks) {
    const found = findWebhookProblem(webhook);
    if (found === undefined) continue;
    const path = [member, ...found.path].join('.');
    throw new WorkloadError('usage', `The configuration has no valid ${path}: ${found.problem}`, [
      'correct the webhook and give its file again with --webhook-config',
    ]);
  }
}
