import { ModelCallError } from '../formats/model-call-error.ts';
import type { ModelRequest } from '../formats/model-request.ts';
import type { ModelOperation } from '../formats/operation.ts';
import type { ServedBackend, ServedRoute } from '../policy/served-routes.ts';
import { findBackendOperation } from '../translation/find-backend-operation.ts';
import type { ProviderPlatforms } from '../upstream/platforms/provider-platforms.ts';
import type { UsableBackend } from './attempt-plan.ts';

/**
 * Lists the backends of a route that can serve a request. One whose format cannot express the
 * request is left out.
 * @throws ModelCallError if none can: the reason of the first one
 */
export function listUsableBackends(
  operation: ModelOperation,
  request: ModelRequest,
  route: ServedRoute,
  platforms: ProviderPlatforms,
): UsableBackend[] {
  let refusal: ModelCallError | undefined;
  const usable = route.backends.flatMap((served) => {
    try {
      return findUsable(served, operation, request, platforms) ?? [];
    } catch (error) {
      if (!(error instanceof ModelCallError)) throw error;
      refusal ??= error;
      return [];
    }
  });
  if (usable.length === 0) throw refusal ?? createNoBackendError(request.model, operation, route);
  return usable;
}

/** The bytes of translated requests, which are in memory beside that of the client. */
export const countTranslatedBytes = (usable: readonly UsableBackend[], { received }: ModelRequest): number =>
  usable.reduce((sum, { request }) => (request.received === received ? sum : sum + request.received.bytes.length), 0);

function findUsable(
  served: ServedBackend,
  operation: ModelOperation,
  request: ModelRequest,
  platforms: ProviderPlatforms,
): UsableBackend | undefined {
  const { backend, provider } = served;
  const pricedModel = backend.pricedAs ?? backend.model ?? request.model;
  const found = findBackendOperation(operation, request, provider.kind, pricedModel);
  const platform = platforms.find(provider);
  return found !== undefined && platform?.serves(found.operation) === true ? { served, platform, ...found } : undefined;
}

function createNoBackendError(model: string, operation: ModelOperation, route: ServedRoute): ModelCallError {
  const kinds = [...new Set(route.backends.map(({ provider }) => provider.kind))];
  if (kinds.includes(operation.format))
    return new ModelCallError('invalid_request', `No provider of the model \`${model}\` serves this operation.`, {
      field: 'model',
      reason: 'operation_not_served',
    });
  return new ModelCallError(
    'invalid_request',
    kinds.length === 0
      ? `The model \`${model}\` has no provider.`
      : `The model \`${model}\` is served in the format of ${kinds.join(', ')}, not in that of ${operation.format}.`,
    { field: 'model', reason: 'no_backend_of_format' },
  );
}
