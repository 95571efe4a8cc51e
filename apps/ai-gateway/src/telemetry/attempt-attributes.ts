import type { Provider } from '@gatehouse/ai-resources/generated/types';
import type { ObservedAttempt } from '../exchange/call-observer.ts';
import type { ModelOperation } from '../formats/operation.ts';
import type { ServedBackend, ServedRoute } from '../policy/served-routes.ts';

/** Attributes of measurements. */
export type Attributes = Readonly<Record<string, string>>;

/** The value for names that the configuration does not contain. */
export const OTHER = '_OTHER';
/** A provider that names ever new models in its responses does not fill the metrics. */
const MAX_RESPONSE_MODELS = 8;

/** `gen_ai.provider.name` of the OpenTelemetry semantic conventions for GenAI. */
export const PROVIDER_NAMES: Readonly<Record<Provider['kind'], string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'gcp.gemini',
};

/** The attributes of attempts that differ in nothing but their ends. */
export class AttemptAttributes {
  readonly inputTokens: Attributes;
  readonly outputTokens: Attributes;
  private readonly byErrorType = new Map<string, Attributes>();
  private readonly byOutcome = new Map<string, Attributes>();

  constructor(readonly common: Attributes) {
    this.inputTokens = { ...common, 'gen_ai.token.type': 'input' };
    this.outputTokens = { ...common, 'gen_ai.token.type': 'output' };
  }

  /** @param errorType one of few values; undefined for a success */
  withErrorType(errorType: string | undefined): Attributes {
    if (errorType === undefined) return this.common;
    return getOrCreate(this.byErrorType, errorType, () => ({ ...this.common, 'error.type': errorType }));
  }

  /** @param outcome one of few values */
  withOutcome(outcome: string): Attributes {
    return getOrCreate(this.byOutcome, outcome, () => ({ ...this.common, outcome }));
  }
}

/**
 * The attributes of attempts, created once for each backend of an AIGateway. Their values are names
 * of the AIGateway, never those that callers send: names of models too are those of routes.
 */
export class AttemptAttributeIndex {
  private readonly backends = new WeakMap<ServedBackend, Map<string, Map<string, AttemptAttributes>>>();

  /** Returns the attributes of an attempt. */
  find({ operation, route, served, report }: ObservedAttempt): AttemptAttributes {
    let operations = this.backends.get(served);
    if (operations === undefined)
      this.backends.set(served, (operations = new Map<string, Map<string, AttemptAttributes>>()));
    const byModel = getOrCreate(operations, operation.telemetryName, () => new Map<string, AttemptAttributes>());
    const name = selectResponseModel(route, served, report?.model);
    const model = name === '' || byModel.has(name) || byModel.size < MAX_RESPONSE_MODELS ? name : OTHER;
    return getOrCreate(byModel, model, () => createAttributes(operation, route, served, model));
  }
}

/** A provider repeats the name that a caller has chosen, where none is configured. */
const selectResponseModel = (route: ServedRoute, served: ServedBackend, model: string | undefined): string =>
  getConfiguredModel(route, served) === undefined ? '' : (model?.slice(0, 128) ?? '');

/** The model at the provider, if the AIGateway names it. */
export const getConfiguredModel = ({ model }: ServedRoute, { backend }: ServedBackend): string | undefined =>
  backend.model ?? model;

function createAttributes(
  operation: ModelOperation,
  route: ServedRoute,
  served: ServedBackend,
  responseModel: string,
): AttemptAttributes {
  return new AttemptAttributes({
    'gen_ai.operation.name': operation.telemetryName,
    'gen_ai.provider.name': PROVIDER_NAMES[served.provider.kind],
    'gen_ai.request.model': getConfiguredModel(route, served) ?? OTHER,
    ...(responseModel !== '' && { 'gen_ai.response.model': responseModel }),
    'gatehouse.provider': served.provider.name,
    'gatehouse.route': route.name,
  });
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
