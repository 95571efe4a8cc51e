import type { ObservedAttempt } from '../exchange/call-observer.ts';
import type { ModelOperation } from '../formats/operation.ts';
import type { Principal } from '../identity/principals.ts';
import type { ServedBackend, ServedRoute } from '../policy/served-routes.ts';

const fail = () => {
  throw new Error('telemetry must not use the operation');
};

/** Chat completions, of which only the names are used. */
export const chat: ModelOperation = {
  name: 'openai.chat_completions',
  format: 'openai',
  telemetryName: 'chat',
  isMetered: true,
  readRequest: fail,
  createPath: fail,
  createBody: fail,
  createReader: fail,
};

/** A caller with a virtual key. */
export const caller: Principal = {
  id: 'key:k-1',
  kind: 'key',
  wire: { virtual_key_id: 'k-1' },
  owner: { issuer: 'https://id.example', subject: 'ann' },
  claims: {},
  keyVersion: 1,
};

/** A backend of a provider `main` of OpenAI. */
export const createBackend = (model?: string): ServedBackend => ({
  backend: { provider: 'main', weight: 1, priority: 0, ...(model !== undefined && { model }) },
  provider: { name: 'main', kind: 'openai', endpoint: 'https://api.openai.com' },
});

/** A route for a model, or the default route. */
export const createRoute = (model: string | undefined, served: ServedBackend): ServedRoute => ({
  name: model ?? 'default',
  model,
  backends: [served],
  timeouts: {},
});

/** A delivered stream with 100 input tokens and 21 output tokens in 3 s, after 1 s. */
export function createObservedAttempt(changes: Partial<ObservedAttempt> = {}): ObservedAttempt {
  const served = createBackend('gpt-5-2026');
  return {
    interactionId: '0199-1',
    context: undefined,
    attempt: 1,
    operation: chat,
    principal: caller,
    route: createRoute('gpt-5', served),
    served,
    requestedModel: 'gpt-5',
    model: 'gpt-5-2026',
    isStream: true,
    outcome: {
      outcome: 'delivered',
      upstream_status: 200,
      duration_ms: 3_000,
      raw_usage: {
        prompt_tokens: 100,
        completion_tokens: 21,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 6 },
      },
    },
    cost: 12_500_000n,
    report: {
      usage: undefined,
      isComplete: true,
      failure: undefined,
      outputBytes: 60,
      model: 'gpt-5-2026',
      responseId: 'chatcmpl-1',
      finishReasons: ['stop'],
    },
    timeToFirstByteMs: 1_000,
    providerRequestId: 'req_1',
    ...changes,
  };
}
