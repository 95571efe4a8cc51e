import type { AIGatewaySpec, Route } from '@gatehouse/ai-resources/generated/types';

/** A model in the format of OpenAI. */
export interface Model {
  readonly id: string;
  readonly object: 'model';
  /** The time at which the gateway was created, in seconds since 1970. */
  readonly created: number;
  /** The kind of the provider of the first backend, such as `openai`. */
  readonly owned_by: string;
  readonly display_name?: string;
  /** The size of the context window, in tokens. */
  readonly context_window?: number;
}

/**
 * Lists the models with a route, each once, sorted by id. The first of several routes for a model
 * describes it. The default route has no models.
 */
export function listModels(gateway: AIGatewaySpec, createdAt: Date): Model[] {
  const kinds = new Map((gateway.providers ?? []).map(({ name, kind }) => [name, kind]));
  const routes = new Map((gateway.routes ?? []).toReversed().map((route) => [route.match.model, route]));
  return [...routes.values()]
    .sort((one, other) => (one.match.model < other.match.model ? -1 : 1))
    .map((route) => describeModel(route, kinds, createdAt));
}

function describeModel(route: Route, kinds: ReadonlyMap<string, string>, createdAt: Date): Model {
  const { match, displayName, contextWindow, backends } = route;
  // A gateway may name a provider that it lacks. The name is then all that is known.
  const provider = backends[0]?.provider ?? '';
  return {
    id: match.model,
    object: 'model',
    created: Math.floor(createdAt.getTime() / 1000),
    owned_by: kinds.get(provider) ?? provider,
    ...(displayName !== undefined && { display_name: displayName }),
    ...(contextWindow !== undefined && { context_window: contextWindow }),
  };
}
