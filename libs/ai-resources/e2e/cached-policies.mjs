// Usage: node cached-policies.mjs URL TOKEN_FILE NAMESPACE
// Follows the policies of a cluster and prints their versions by name as JSON lines, until it is
// killed.
import { KubernetesResourceStore } from '@gatehouse/ai-resources/kubernetes-resource-store';
import { ResourceCache } from '@gatehouse/ai-resources/resource-cache';
import { KubernetesClient } from '@gatehouse/kubernetes/client';
import { writeSync } from 'node:fs';

const [url, tokenPath, namespace] = process.argv.slice(2);
const client = new KubernetesClient({ url, tokenPath, caPath: undefined });
const cache = new ResourceCache(new KubernetesResourceStore(client, { kind: 'AIPolicy', namespace }), {
  onState: () => undefined,
  onListenerError: () => undefined,
});
cache.onChange(() => {
  const versions = cache.values().map(({ metadata }) => [metadata.name, metadata.resourceVersion]);
  writeSync(1, `${JSON.stringify(Object.fromEntries(versions))}\n`);
});
setInterval(() => undefined, 60_000);
await cache.run(AbortSignal.any([]));
