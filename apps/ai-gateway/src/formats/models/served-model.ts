import type { Model } from '@gatehouse/ai-policies/model';
import { listModels } from '@gatehouse/ai-policies/model-list';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { WireFormat } from '../operation.ts';

/** A model that a caller may use, and the formats in which a backend serves it. */
export interface ServedModel {
  readonly model: Model;
  readonly formats: ReadonlySet<WireFormat>;
}

/**
 * Describes the granted models, in their order. A model without an own route has the default route.
 * @param granted the names of models with a route, sorted
 */
export function describeModels(gateway: AIGateway, granted: readonly string[]): readonly ServedModel[] {
  const { routes = [], defaultRoute, providers = [] } = gateway.spec;
  const known = new Set(routes.map(({ match }) => match.model));
  const unlisted = granted.filter((name) => !known.has(name));
  const defaults = unlisted.map((model) => ({ match: { model }, backends: defaultRoute?.backends ?? [] }));
  const spec = { ...gateway.spec, routes: [...routes, ...defaults] };
  const models = new Map(listModels({ ...gateway, spec }).data.map((model) => [model.id, model]));
  const backends = new Map(spec.routes.toReversed().map((route) => [route.match.model, route.backends]));
  const kinds = new Map(providers.map(({ name, kind }) => [name, kind]));
  return granted.flatMap((name) => {
    const model = models.get(name);
    const formats = new Set((backends.get(name) ?? []).flatMap(({ provider }) => kinds.get(provider) ?? []));
    return model === undefined ? [] : [{ model, formats }];
  });
}
