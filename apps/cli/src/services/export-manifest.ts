import { stringify } from 'yaml';
import type { Manifest } from '@gatehouse/workloads/kubernetes/manifest';

/** Writes the objects of a workload as YAML, with a comment about the Secret that they lack. */
export function formatManifest({ objects, secret }: Manifest): string {
  const documents = objects.map((object) => stringify(object, { lineWidth: 0 }));
  return `${formatSecretComment(objects, secret)}${documents.join('---\n')}`;
}

/** Returns the command that creates the Secret; undefined when the manifest needs none. */
export function createSecretCommand({ objects, secret }: Manifest): string | undefined {
  if (secret === undefined) return undefined;
  const namespace = (objects[0]?.metadata as { namespace?: string } | undefined)?.namespace ?? 'default';
  const values = secret.keys.map((key) => `--from-literal=${key}=VALUE`);
  return `kubectl --namespace ${namespace} create secret generic ${secret.name} ${values.join(' ')}`;
}

function formatSecretComment(objects: Manifest['objects'], secret: Manifest['secret']): string {
  const command = createSecretCommand({ objects, secret });
  return command === undefined
    ? ''
    : `# The server waits for this Secret, whose values are not exported:\n# ${command}\n`;
}
