import type { ServedBackend } from '../policy/served-routes.ts';

/** Whether a provider is believed to work now. */
export interface ProviderHealth {
  isHealthy(provider: string): boolean;
}

/**
 * Orders the backends of a route for one request: those of the lowest priority first, within a
 * priority by chance and weight. Backends of providers that fail come last, in the same order.
 * Those with weight 0 are left out.
 * @param random returns a number from 0 to 1, without 1
 */
export function orderBackends<T extends { readonly served: ServedBackend }>(
  backends: readonly T[],
  health: ProviderHealth,
  random: () => number,
): readonly T[] {
  const usable = backends.filter(({ served }) => served.backend.weight > 0);
  if (usable.length < 2) return usable;
  // The key of a weighted random order: Efraimidis and Spirakis, 2006.
  const ranked = usable.map((item) => ({ item, key: -Math.log(1 - random()) / item.served.backend.weight }));
  const isHealthy = ({ item }: (typeof ranked)[number]) => health.isHealthy(item.served.provider.name);
  return ranked
    .sort(
      (one, other) =>
        Number(isHealthy(other)) - Number(isHealthy(one)) ||
        one.item.served.backend.priority - other.item.served.backend.priority ||
        one.key - other.key,
    )
    .map(({ item }) => item);
}
