import type { Sample } from '@gatehouse/testing/contract-runner';
import type { TestManager } from './enterprise-manager.ts';
import { makeScimToken, newGroup, newUser, patch, scimClient } from './scim-scene.ts';

const ISSUER = { issuer_id: 'local' };
const SEARCH = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], count: 1 };

/**
 * A valid call of every SCIM operation, each with its own SCIM token, and of every operation that
 * manages SCIM tokens.
 */
export function scimSamplesOf(running: () => TestManager): Record<string, Sample> {
  const client = async () => ({ token: (await makeScimToken(running())).secret, path: ISSUER });
  const at =
    (more: object): Sample =>
    async () => ({ ...(await client()), ...more });
  const on =
    (collection: '/Users' | '/Groups', fresh: () => object, more: () => object = () => ({})): Sample =>
    async () => {
      const { token } = await client();
      const { body } = await scimClient(running(), token)('POST', collection, fresh());
      return { token, path: { ...ISSUER, id: body.id }, ...more() };
    };
  const document = (id: string): Sample => at({ path: { ...ISSUER, id } });
  const ofToken: Sample = async () => ({ path: { id: (await makeScimToken(running())).id } });
  const disable = () => ({ body: patch({ op: 'replace', path: 'active', value: false }) });
  const rename = () => ({ body: patch({ op: 'replace', path: 'displayName', value: newGroup().displayName }) });

  return {
    'GET /scim/{issuer_id}/v2/ServiceProviderConfig': at({}),
    'GET /scim/{issuer_id}/v2/ResourceTypes': at({}),
    'GET /scim/{issuer_id}/v2/ResourceTypes/{id}': document('User'),
    'GET /scim/{issuer_id}/v2/Schemas': at({}),
    'GET /scim/{issuer_id}/v2/Schemas/{id}': document('urn:ietf:params:scim:schemas:core:2.0:User'),
    'POST /scim/{issuer_id}/v2/Bulk': at({ body: {} }),
    'POST /scim/{issuer_id}/v2/.search': at({ body: SEARCH }),
    'GET /scim/{issuer_id}/v2/Me': at({}),
    'POST /scim/{issuer_id}/v2/Me': at({ body: {} }),
    'PUT /scim/{issuer_id}/v2/Me': at({ body: {} }),
    'PATCH /scim/{issuer_id}/v2/Me': at({ body: {} }),
    'DELETE /scim/{issuer_id}/v2/Me': at({}),
    'GET /scim/{issuer_id}/v2/Users': at({}),
    'POST /scim/{issuer_id}/v2/Users/.search': at({ body: SEARCH }),
    'POST /scim/{issuer_id}/v2/Users': async () => ({ ...(await client()), body: newUser() }),
    'GET /scim/{issuer_id}/v2/Users/{id}': on('/Users', newUser),
    'PUT /scim/{issuer_id}/v2/Users/{id}': on('/Users', newUser, () => ({ body: newUser({ displayName: 'Sample' }) })),
    'PATCH /scim/{issuer_id}/v2/Users/{id}': on('/Users', newUser, disable),
    'DELETE /scim/{issuer_id}/v2/Users/{id}': on('/Users', newUser),
    'GET /scim/{issuer_id}/v2/Groups': at({}),
    'POST /scim/{issuer_id}/v2/Groups/.search': at({ body: SEARCH }),
    'POST /scim/{issuer_id}/v2/Groups': async () => ({ ...(await client()), body: newGroup() }),
    'GET /scim/{issuer_id}/v2/Groups/{id}': on('/Groups', newGroup),
    'PUT /scim/{issuer_id}/v2/Groups/{id}': on('/Groups', newGroup, () => ({ body: newGroup() })),
    'PATCH /scim/{issuer_id}/v2/Groups/{id}': on('/Groups', newGroup, rename),
    'DELETE /scim/{issuer_id}/v2/Groups/{id}': on('/Groups', newGroup),
    'GET /v1/scim-tokens': () => ({}),
    'POST /v1/scim-tokens': () => ({ body: { ...ISSUER, name: 'Sample' } }),
    'GET /v1/scim-tokens/{id}': ofToken,
    'POST /v1/scim-tokens/{id}/rotate': ofToken,
    'DELETE /v1/scim-tokens/{id}': ofToken,
  };
}
