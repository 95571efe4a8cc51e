import type { Backend, Provider, RouteTimeouts } from '@gatehouse/ai-resources/generated/types';
import type { AIGateway } from '@gatehouse/ai-resources/resource';

/** A backend of a route, and its provider. */
export interface ServedBackend {
  readonly backend: Backend;
  readonly provider: Provider;
}

/** A route whose providers are known. */
export interface ServedRoute {
  /** The name in usage, logs and metrics. */
  readonly name: string;
  /** The model of the route; undefined for the default route, which serves every model. */
  readonly model: string | undefined;
  readonly backends: readonly ServedBackend[];
  readonly timeouts: RouteTimeouts;
}

/** The routes of one version of an AIGateway. */
export interface RouteIndex {
  /** The route of a model: its own, else the default route. */
  find(model: string): ServedRoute | undefined;
}

const remembered = new WeakMap<AIGateway, RouteIndex>();

/**
 * Indexes the routes of an AIGateway, once for each version. Of several for a model, the first
 * applies.
 */
export function indexRoutes(gateway: AIGateway): RouteIndex {
  const known = remembered.get(gateway);
  if (known !== undefined) return known;
  const index = createIndex(gateway);
  remembered.set(gateway, index);
  return index;
}

interface RouteSource {
  readonly name: string;
  readonly model: string | undefined;
  readonly backends: readonly Backend[];
  readonly timeouts?: RouteTimeouts | undefined;
}

function createIndex({ spec: { providers = [], routes = [], defaultRoute } }: AIGateway): RouteIndex {
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  const serve = (source: RouteSource): ServedRoute => ({
    name: source.name,
    model: source.model,
    timeouts: source.timeouts ?? {},
    // A backend that names no provider is reported by the condition ResolvedRefs.
    backends: source.backends.flatMap((backend) => {
      const provider = byName.get(backend.provider);
      return provider === undefined ? [] : [{ backend, provider }];
    }),
  });
  const byModel = new Map<string, ServedRoute>();
  for (const { name, match, backends, timeouts } of routes)
    if (!byModel.has(match.model))
      byModel.set(match.model, serve({ name: name ?? match.model, model: match.model, backends, timeouts }));
  const fallback = defaultRoute && serve({ ...defaultRoute, name: 'default', model: undefined });
  return { find: (model) => byModel.get(model) ?? fallback };
}
