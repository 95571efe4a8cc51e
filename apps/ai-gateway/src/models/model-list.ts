import type { AIGateway } from './gateway-file.ts';
import type { ModelList } from './models.dto.ts';

/**
 * Lists the models of a gateway in the format of OpenAI: each once, sorted by id. The first of
 * several routes of one model (fallbacks) gives its owner.
 */
export function listModels(gateway: AIGateway, changedAt: Date): ModelList {
  const routes = new Map(gateway.spec.routes.toReversed().map((route) => [route.match.model, route]));
  const data = [...routes].map(([id, { provider, display_name, context_window }]) => ({
    id,
    object: 'model' as const,
    created: Math.floor(changedAt.getTime() / 1000),
    owned_by: provider,
    ...(display_name === undefined ? {} : { display_name }),
    ...(context_window === undefined ? {} : { context_window }),
  }));
  return { object: 'list', data: data.sort((a, b) => (a.id < b.id ? -1 : 1)) };
}
