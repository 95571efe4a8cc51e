import type { Sample } from '@gatehouse/testing/contract-runner';
import { randomUUID } from 'node:crypto';
import { makeGroup } from './connector-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

/** Ages the next signing key, which otherwise may sign only after ten minutes. */
export const ageNextKey = (manager: Pick<TestManager, 'sql'>): Promise<unknown> =>
  manager.sql(`UPDATE signing_keys SET created_at = created_at - interval '1 hour' WHERE state = 'next'`);

/** The headers of the command line's requests for its configuration. */
export const CLI = { 'x-client-type': 'gatehouse-cli', 'x-client-version': '1.2.3' };

/** A valid call of every operation on the configuration of clients. */
export function createConfigSamples(running: () => TestManager): Record<string, Sample> {
  return {
    'GET /api/v1beta/config': () => ({ headers: CLI }),
    'GET /v1/client-config': () => ({}),
    'PUT /v1/client-config': async () => ({
      body: {
        config: {
          registry: { value: { api_url: `https://catalog.example.com/${randomUUID()}` }, enforcement: 'default' },
          telemetry: { value: { sampling_rate: 0.5, headers: { 'x-team': 'platform' } }, enforcement: 'default' },
          build_env: { HTTP_PROXY: 'http://egress.example.com:3128' },
          degraded_mode: { policy: 'warn', grace_period: '24h', message: 'The directory is away.' },
        },
        overrides: [
          {
            group_id: await makeGroup(running()),
            precedence: 10,
            config: { playground: { value: true, enforcement: 'enforced' } },
          },
        ],
      },
    }),
    'GET /v1/signing-keys': () => ({}),
    'DELETE /v1/signing-keys/{kid}': async () => {
      const [next] = await running().sql<{ kid: string }>(`SELECT kid FROM signing_keys WHERE state = 'next'`);
      return { path: { kid: next?.kid ?? '' } };
    },
    'POST /v1/signing-keys/rotate': async () => {
      await ageNextKey(running());
      return {};
    },
  };
}
