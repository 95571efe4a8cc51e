import type { Sample } from '@gatehouse/testing/contract-runner';
import { draft, makeConnector } from './connector-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

const ENTER = 'PUT /v1/connectors/{id}/policy/cedar-mode';

/** Valid calls of the operations on Cedar policies. */
export function policiesSamplesOf(running: () => TestManager): Record<string, Sample> {
  const structured = async () => ({ path: { id: (await makeConnector(running(), draft())).id } });
  const cedar = async () => {
    const { path } = await structured();
    const answer = await running().client.call(ENTER, { token: running().tokens.admin, path });
    if (answer.status !== 200) throw new Error(`no Cedar mode: ${JSON.stringify(answer.body)}`);
    return { path };
  };
  return {
    'GET /v1/policy-schema': () => ({}),
    [ENTER]: structured,
    'DELETE /v1/connectors/{id}/policy/cedar-mode': cedar,
    'PUT /v1/connectors/{id}/policy/document': async () => ({
      ...(await cedar()),
      body: { document: 'permit(principal, action, resource);' },
    }),
    'POST /v1/connectors/{id}/policy/simulate': async () => ({
      ...(await structured()),
      body: { user_id: await running().userId('alice'), action: 'call_tool', resource: 'echo' },
    }),
  };
}
