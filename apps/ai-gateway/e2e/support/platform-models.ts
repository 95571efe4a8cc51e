import type { CreateModels } from './metered-world.ts';

/** The model of chat completions on Vertex AI. */
export const VERTEX_CHAT_MODEL = 'gemini-chat';

/** The models of vendors, and their providers and names there. */
const MODELS: Readonly<Record<string, readonly [provider: string, model: string]>> = {
  'gpt-5.4': ['azure', 'chat-prod'],
  'gpt-5.4-mini': ['azure', 'chat-small'],
  'text-embedding-3-small': ['azure', 'embeddings-prod'],
  'gemini-3.8-flash': ['vertex-google', 'gemini-3.8-flash'],
  'gemini-2.5-flash': ['vertex-google', 'gemini-2.5-flash'],
  'claude-opus-5-5': ['vertex-anthropic', 'claude-opus-5-5'],
  'claude-sonnet-5-5': ['vertex-anthropic', 'claude-sonnet-5-5'],
  'claude-haiku-5-5': ['vertex-anthropic', 'claude-haiku-5-5'],
  [VERTEX_CHAT_MODEL]: ['vertex-openai', 'google/gemini-2.5-flash'],
  // Vertex AI has another form of embeddings.
  'gemini-embedding-001': ['google', 'gemini-embedding-001'],
};

const vertex = { project: 'sim-project', location: 'us-central1' };

/** The models of the vendors on the platforms of clouds, under the names of the vendors. */
export const createPlatformModels: CreateModels = ({ urls }, secretIds) => ({
  providers: [
    {
      name: 'azure',
      kind: 'openai',
      endpoint: urls.azure,
      platform: { azure: { apiVersion: '2025-04-01-preview' } },
      managedSecretId: secretIds['azure'] ?? '',
    },
    {
      name: 'vertex-google',
      kind: 'google',
      endpoint: urls.vertex,
      platform: { vertex },
      managedSecretId: secretIds['vertex'] ?? '',
    },
    {
      name: 'vertex-openai',
      kind: 'openai',
      endpoint: urls.vertex,
      platform: { vertex },
      managedSecretId: secretIds['vertex'] ?? '',
    },
    {
      name: 'vertex-anthropic',
      kind: 'anthropic',
      endpoint: urls.vertex,
      platform: { vertex },
      managedSecretId: secretIds['vertex'] ?? '',
    },
    { name: 'google', kind: 'google', endpoint: urls.google, managedSecretId: secretIds['google'] ?? '' },
  ],
  routes: Object.entries(MODELS).map(([name, [provider, model]]) => ({
    match: { model: name },
    backends: [{ provider, model, pricedAs: name, weight: 1, priority: 0 }],
  })),
});
