import type { SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { SecretsError } from '@gatehouse/secrets/secrets-error';
import type { Workloads } from '@gatehouse/workloads/lifecycle';

/** The surroundings of {@link removeUnusedSecrets}. */
interface RemovalContext {
  readonly workloads: Workloads;
  readonly secretsSettings: () => Promise<SecretsSettings>;
  readonly say: (text: string) => void;
}

/**
 * Removes the secrets that starts of removed workloads have stored, unless another workload uses
 * them. It asks for no password, because the removal of a workload needs none: a secret that
 * cannot be removed is reported with the command that removes it.
 * @param secrets those of the workloads before their removal
 */
export async function removeUnusedSecrets(secrets: readonly string[], context: RemovalContext): Promise<void> {
  if (secrets.length === 0) return;
  const unused = await context.workloads.listUnusedSecrets(secrets);
  if (unused.length === 0) return;
  const { openSecrets } = await import('@gatehouse/secrets/open-secrets');
  try {
    const settings = await context.secretsSettings();
    const provider = openSecrets({ ...settings, passwords: { ...settings.passwords, ask: undefined } });
    for (const name of unused) await provider.delete?.(name);
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    context.say(`Warning: the secrets of removed workloads stay: ${error.message}`);
    for (const name of unused) context.say(`Try: gatehouse secret delete ${name}`);
  }
}
