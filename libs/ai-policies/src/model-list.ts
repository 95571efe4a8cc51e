import type { Route } from '@gatehouse/ai-resources/generated/types';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { Model, ModelList } from './model.ts';

/**
 * Lists the models with a route, each once, sorted by id. The first of several routes for a model
 * describes it. The default route has no models.
 */
export function listModels({ spec, metadata }: AIGateway): ModelList {
  const kinds = new Map((spec.providers ?? []).map(({ name, kind }) => [name, kind]));
  const routes = new Map((spec.routes ?? []).toReversed().map((route) => [route.match.model, route]));
  const created = Math.floor(new Date(metadata.creationTimestamp).getTime() / 1000);
  const data = [...routes.values()]
    .sort((one, other) => (one.match.model < other.match.model ? -1 : 1))
    .map((route) => describeModel(route, kinds, created));
  return { object: 'list', data };
}

function describeModel(route: Route, kinds: ReadonlyMap<string, string>, created: number): Model {
  const { match, displayName, contextWindow, backends } = route;
  // A gateway may name a provider that it lacks. The name is then all that is known.
  const provider = backends[0]?.provider ?? '';
  return {
    id: match.model,
    object: 'model',
    created,
    owned_by: kinds.get(provider) ?? provider,
    ...(displayName !== undefined && { display_name: displayName }),
    ...(contextWindow !== undefined && { context_window: contextWindow }),
  };
}
