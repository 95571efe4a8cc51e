import { API_VERSION } from './resource.ts';

/** A valid AIPolicy as its author writes it. */
export const POLICY = {
  apiVersion: API_VERSION,
  kind: 'AIPolicy',
  metadata: { name: 'team-a' },
  spec: {
    gatewayRef: { name: 'local' },
    description: 'Models of team A',
    principalMatchers: [{ claims: { groups: 'team-a' } }],
    mcpPolicy: { servers: ['github'] },
    budgets: [{ name: 'default', models: ['gpt-5', 'claude-opus-4-1'] }],
  },
} as const;

/** A valid AIGateway as its author writes it. */
export const GATEWAY = {
  apiVersion: API_VERSION,
  kind: 'AIGateway',
  metadata: { name: 'local', labels: { team: 'a' }, annotations: { 'example.com/Note': 'any text' } },
  spec: {
    listeners: [{ name: 'https', port: 443, hostname: '*.example.com' }],
    auth: {
      oidc: { issuer: 'https://login.example.com', audience: 'gatehouse', jwksUri: 'https://login.example.com/keys' },
      authz: { roles: { admin: [{ claims: { roles: 'admin' } }] } },
    },
    providers: [
      { name: 'openai', kind: 'openai', endpoint: 'https://api.openai.com', secretRef: { name: 'openai', key: 'key' } },
      { name: 'local', kind: 'openai', endpoint: 'http://[::1]:8000', pathPrefix: '/openai/v1' },
      {
        name: 'managed',
        kind: 'anthropic',
        endpoint: 'https://api.anthropic.com',
        managedSecretId: '0197a3c2-2b9c-71d5-aff2-f15eb4bb768a',
      },
    ],
    routes: [
      {
        name: 'gpt-5',
        match: { model: 'gpt-5' },
        displayName: 'GPT-5',
        contextWindow: 400_000,
        backends: [
          { provider: 'openai', model: 'gpt-5-2025', weight: 3 },
          { provider: 'local', priority: 1 },
        ],
        timeouts: { connectSeconds: 5 },
      },
    ],
    defaultRoute: { backends: [{ provider: 'local' }] },
    limits: { requestBytes: 1_048_576, concurrentRequests: 100, tokensPerMinutePerPrincipal: 1_000_000 },
    webhooks: { budgets: { url: 'http://enterprise-manager:8080/v1/budgets/admissions' } },
  },
} as const;
