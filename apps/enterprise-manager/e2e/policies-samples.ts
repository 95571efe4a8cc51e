import type { Sample } from '@gatehouse/testing/contract-runner';
import { draft, makeConnector } from './connector-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

const ENTER = 'PUT /v1/connectors/{id}/policy/cedar-mode';

/** Valid calls of the operations on Cedar policies. */
export function createPolicySamples(running: () => TestManager): Record<string, Sample> {
  const createStructured = async () => ({ path: { id: (await makeConnector(running(), draft())).id } });
  const createCedar = async () => {
    const { path } = await createStructured();
    const response = await running().client.call(ENTER, { token: running().tokens.admin, path });
    if (response.status !== 200) throw new Error(`no Cedar mode: ${JSON.stringify(response.body)}`);
    return { path };
  };
  return {
    'GET /v1/policy-schema': () => ({}),
    [ENTER]: createStructured,
    'DELETE /v1/connectors/{id}/policy/cedar-mode': createCedar,
    'PUT /v1/connectors/{id}/policy/document': async () => ({
      ...(await createCedar()),
      body: { document: 'permit(principal, action, resource);' },
    }),
    'POST /v1/connectors/{id}/policy/simulate': async () => ({
      ...(await createStructured()),
      body: { user_id: await running().findUserId('alice'), action: 'call_tool', resource: 'echo' },
    }),
  };
}
