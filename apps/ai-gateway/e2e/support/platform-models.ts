import type { CreateModels } from './metered-world.ts';

/** The deployments of Azure for the models of OpenAI. */
const DEPLOYMENTS = {
  'gpt-5.4': 'chat-prod',
  'gpt-5.4-mini': 'chat-small',
  'text-embedding-3-small': 'embeddings-prod',
};

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
  ],
  routes: Object.entries(DEPLOYMENTS).map(([model, deployment]) => ({
    match: { model },
    backends: [{ provider: 'azure', model: deployment, pricedAs: model, weight: 1, priority: 0 }],
  })),
});
