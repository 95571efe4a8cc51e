import type { Sample } from '@gatehouse/testing/contract-runner';
import { makeGroup } from './connector-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

/** A valid call of every metadata operation, each with its own objects. */
export function createMetadataSamples(running: () => TestManager): Record<string, Sample> {
  const body = { cost_centre: '4711', tags: ['a', 'b'] };
  const put = async (operation: string, id: string) => {
    await running().client.call(operation, { token: running().tokens.admin, path: { id }, body });
    return { path: { id } };
  };
  const putUserMetadata = async () => put('PUT /v1/users/{id}/metadata', await running().findUserId('alice'));
  const putGroupMetadata = async () => put('PUT /v1/groups/{id}/metadata', await makeGroup(running()));
  return {
    'GET /v1/users/{id}/metadata': putUserMetadata,
    'PUT /v1/users/{id}/metadata': async () => ({ ...(await putUserMetadata()), body: { ...body, at: Date.now() } }),
    'DELETE /v1/users/{id}/metadata': putUserMetadata,
    'GET /v1/groups/{id}/metadata': putGroupMetadata,
    'PUT /v1/groups/{id}/metadata': async () => ({ path: { id: await makeGroup(running()) }, body }),
    'DELETE /v1/groups/{id}/metadata': putGroupMetadata,
  };
}
