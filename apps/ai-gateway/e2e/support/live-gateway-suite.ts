import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { createContractClient } from '@gatehouse/testing/contract-client';
import { describeEveryOperation, type RunningService } from '@gatehouse/testing/contract-runner';
import { eventually } from '@gatehouse/testing/eventually';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import type { ResourceBackend } from '@gatehouse/testing/resource-backend';
import { createGateway, createPolicy, GATEWAY, type RunningGateway, startService } from './service.ts';

/** The promised time until a change of the AIGateway is in force. */
const IN_FORCE_MS = 2_000;
const SETTINGS = { PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'silent' };

/** A model list, or a failure. */
interface ModelsBody {
  readonly data?: readonly { readonly id: string }[];
  readonly error?: { readonly message: string };
}

/**
 * Defines the tests of the service that hold on every backend.
 * @returns a function that returns the backend, for further tests
 */
export function describeLiveGateway<B extends ResourceBackend>(startBackend: () => B | Promise<B>): () => B {
  let backend: B;
  let issuer: TestIssuer;
  let service: RunningGateway;
  let running: RunningService;
  beforeAll(async () => {
    [backend, issuer] = await Promise.all([startBackend(), startIssuer()]);
    await backend.apply('AIPolicy', createPolicy(issuer.audience));
    service = await startService(backend, SETTINGS);
    const roles = ['admin', 'auditor', 'gateway', 'user'] as const;
    const tokens = await Promise.all(roles.map(async (role) => [role, await issuer.token({ roles: [role] })] as const));
    running = {
      client: createContractClient({ service: 'ai-gateway', baseUrl: service.url }),
      tokens: Object.fromEntries(tokens) as RunningService['tokens'],
      foreignToken: await issuer.token({ audience: 'https://elsewhere.test' }),
    };
  }, 120_000);
  afterAll(async () => {
    await service.close();
    await issuer.close();
    await backend.close();
  });
  beforeEach(async () => {
    await apply('sample');
    await untilModels('sample');
  });

  const createRoutes = (models: readonly string[]): NonNullable<AIGateway['spec']['routes']> =>
    models.map((model) => ({ match: { model }, backends: [{ provider: 'main', weight: 1, priority: 0 }] }));
  const apply = (...models: string[]) =>
    backend.apply('AIGateway', createGateway(issuer, { routes: createRoutes(models) }));
  const request = async (token: string | undefined = running.tokens.user) => {
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${service.url}/v1/models`, { headers });
    return { status: response.status, body: (await response.json()) as ModelsBody };
  };
  const untilModels = (...models: string[]) =>
    eventually(
      async () => (await request()).body.data?.map(({ id }) => id).join() === models.join(),
      `the models are ${models.join()}`,
      IN_FORCE_MS,
    );
  const untilStatus = (status: number, token?: string) =>
    eventually(async () => (await request(token)).status === status, `the answer is ${status}`, IN_FORCE_MS);
  const readReadiness = async () => {
    const { status, body } = await running.client.call('GET /readyz');
    return { status, text: JSON.stringify(body) };
  };

  describeEveryOperation('ai-gateway', () => running, {
    'GET /.well-known/oauth-protected-resource': () => ({}),
    'GET /.well-known/oauth-protected-resource/{path}': () => ({ path: { path: 'elsewhere' } }),
    'GET /healthz': () => ({}),
    'GET /readyz': () => ({}),
  });

  describe('GET /v1/models', () => {
    it('lists the models of the AIGateway, sorted, in the format of OpenAI, without the default route', async () => {
      const routes = createRoutes(['z', 'a']).map((route) => ({ ...route, contextWindow: 1000 }));
      const defaultRoute = { backends: [{ provider: 'main', weight: 1, priority: 0 }] };
      await backend.apply('AIGateway', createGateway(issuer, { routes, defaultRoute }));
      await untilModels('a', 'z');
      const { body } = await request();
      expect(body).toEqual({
        object: 'list',
        data: ['a', 'z'].map((id) => ({
          id,
          object: 'model',
          created: expect.any(Number),
          owned_by: 'openai',
          context_window: 1000,
        })),
      });
    });

    it('follows a change of the AIGateway within 2 s', async () => {
      await apply('b', 'a');
      await untilModels('a', 'b');
      await apply();
      await untilModels();
    });

    it('answers 401 without a token', async () => {
      const { status, body } = await request('');
      expect([status, body.error?.message]).toEqual([401, expect.stringContaining('No API key was provided')]);
    });

    it('accepts the tokens of the issuer that the AIGateway names, within 2 s of a change', async () => {
      const other = await startIssuer();
      try {
        await backend.apply('AIGateway', createGateway(other, { routes: createRoutes(['other']) }));
        await untilStatus(401);
        const { status, body } = await request(await other.token());
        expect([status, body.data?.map(({ id }) => id)]).toEqual([200, ['other']]);
      } finally {
        await other.close();
      }
    });
  });

  describe('a service without its AIGateway', () => {
    it('answers 503, is not ready, and names the AIGateway, until it is back', async () => {
      const name = `${backend.namespace}/${GATEWAY} does not exist; create it`;
      await backend.remove('AIGateway', GATEWAY);
      await untilStatus(503);
      for (const token of ['garbage', running.tokens.user]) {
        const { status, body } = await request(token);
        expect([status, body.error?.message]).toEqual([503, 'The gateway is not ready. Try again later.']);
      }
      expect(await readReadiness()).toMatchObject({ status: 503, text: expect.stringContaining(name) });
      await apply('back');
      await untilModels('back');
      expect(await readReadiness()).toEqual({ status: 200, text: '{"status":"ready"}' });
    });
  });

  return () => backend;
}
