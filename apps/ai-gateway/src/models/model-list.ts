import type { AIGateway } from './gateway-file.ts';
import type { ModelList } from './models.dto.ts';

/**
 * The models of a gateway in the shape of OpenAI's list: each once, sorted by id.
 * Of several routes for one model (fallbacks) the first one names the owner.
 */
export function modelList(gateway: AIGateway, changedAt: Date): ModelList {
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
