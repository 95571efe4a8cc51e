import { stringify } from 'yaml';
import type { Manifest } from '@gatehouse/workloads/kubernetes/manifest';

/** Writes the objects of a workload as YAML, with a comment about the Secrets that they lack. */
export function formatManifest(manifest: Manifest): string {
  const documents = manifest.objects.map((object) => stringify(object, { lineWidth: 0 }));
  return `${formatSecretComment(manifest)}${documents.join('---\n')}`;
}

/** Returns the commands that create the Secrets. */
export function createSecretCommands({ objects, secrets }: Manifest): string[] {
  const namespace = (objects[0]?.metadata as { namespace?: string } | undefined)?.namespace ?? 'default';
  return secrets.map(({ name, keys }) => {
    const values = keys.map((key) => `--from-literal=${key}=VALUE`);
    return `kubectl --namespace ${namespace} create secret generic ${name} ${values.join(' ')}`;
  });
}

function formatSecretComment(manifest: Manifest): string {
  const commands = createSecretCommands(manifest).map((command) => `# ${command}\n`);
  return commands.length === 0
    ? ''
    : `# The pods wait for these Secrets, whose values are not exported:\n${commands.join('')}`;
}
