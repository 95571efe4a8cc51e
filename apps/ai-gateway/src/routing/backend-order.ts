import type { WireFormat } from '../formats/operation.ts';
import type { ServedBackend } from '../policy/served-routes.ts';

/** Whether a provider is believed to work now. */
export interface ProviderHealth {
  isHealthy(provider: string): boolean;
}

/**
 * Orders the backends of a route for one request: those of the lowest priority first, within a
 * priority by chance and weight. Backends of providers that fail come last, in the same order.
 * Those with weight 0 and those of another format are left out.
 * @param random returns a number from 0 to 1, without 1
 */
export function orderBackends(
  backends: readonly ServedBackend[],
  format: WireFormat,
  health: ProviderHealth,
  random: () => number,
): readonly ServedBackend[] {
  const usable = backends.filter(({ backend, provider }) => provider.kind === format && backend.weight > 0);
  if (usable.length < 2) return usable;
  // The key of a weighted random order: Efraimidis and Spirakis, 2006.
  const ranked = usable.map((served) => ({ served, key: -Math.log(1 - random()) / served.backend.weight }));
  const isHealthy = ({ served }: (typeof ranked)[number]) => health.isHealthy(served.provider.name);
  return ranked
    .sort(
      (one, other) =>
        Number(isHealthy(other)) - Number(isHealthy(one)) ||
        one.served.backend.priority - other.served.backend.priority ||
        one.key - other.key,
    )
    .map(({ served }) => served);
}
