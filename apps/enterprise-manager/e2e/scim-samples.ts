import type { Sample } from '@gatehouse/testing/contract-runner';
import type { TestManager } from './enterprise-manager.ts';
import { makeScimToken, createGroupBody, createUserBody, patch, createScimClient } from './scim-scene.ts';

const ISSUER = { issuer_id: 'local' };
const SEARCH = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], count: 1 };

/**
 * A valid call of every SCIM operation, each with its own SCIM token, and of every operation that
 * manages SCIM tokens.
 */
export function createScimSamples(running: () => TestManager): Record<string, Sample> {
  const createClient = async () => ({ token: (await makeScimToken(running())).secret, path: ISSUER });
  const createSample =
    (more: object): Sample =>
    async () => ({ ...(await createClient()), ...more });
  const on =
    (collection: '/Users' | '/Groups', fresh: () => object, more: () => object = () => ({})): Sample =>
    async () => {
      const { token } = await createClient();
      const { body } = await createScimClient(running(), token)('POST', collection, fresh());
      return { token, path: { ...ISSUER, id: body.id }, ...more() };
    };
  const createDocumentSample = (id: string): Sample => createSample({ path: { ...ISSUER, id } });
  const createTokenSample: Sample = async () => ({ path: { id: (await makeScimToken(running())).id } });
  const disable = () => ({ body: patch({ op: 'replace', path: 'active', value: false }) });
  const createRename = () => ({
    body: patch({ op: 'replace', path: 'displayName', value: createGroupBody().displayName }),
  });

  return {
    'GET /scim/{issuer_id}/v2/ServiceProviderConfig': createSample({}),
    'GET /scim/{issuer_id}/v2/ResourceTypes': createSample({}),
    'GET /scim/{issuer_id}/v2/ResourceTypes/{id}': createDocumentSample('User'),
    'GET /scim/{issuer_id}/v2/Schemas': createSample({}),
    'GET /scim/{issuer_id}/v2/Schemas/{id}': createDocumentSample('urn:ietf:params:scim:schemas:core:2.0:User'),
    'POST /scim/{issuer_id}/v2/Bulk': createSample({ body: {} }),
    'POST /scim/{issuer_id}/v2/.search': createSample({ body: SEARCH }),
    'GET /scim/{issuer_id}/v2/Me': createSample({}),
    'POST /scim/{issuer_id}/v2/Me': createSample({ body: {} }),
    'PUT /scim/{issuer_id}/v2/Me': createSample({ body: {} }),
    'PATCH /scim/{issuer_id}/v2/Me': createSample({ body: {} }),
    'DELETE /scim/{issuer_id}/v2/Me': createSample({}),
    'GET /scim/{issuer_id}/v2/Users': createSample({}),
    'POST /scim/{issuer_id}/v2/Users/.search': createSample({ body: SEARCH }),
    'POST /scim/{issuer_id}/v2/Users': async () => ({ ...(await createClient()), body: createUserBody() }),
    'GET /scim/{issuer_id}/v2/Users/{id}': on('/Users', createUserBody),
    'PUT /scim/{issuer_id}/v2/Users/{id}': on('/Users', createUserBody, () => ({
      body: createUserBody({ displayName: 'Sample' }),
    })),
    'PATCH /scim/{issuer_id}/v2/Users/{id}': on('/Users', createUserBody, disable),
    'DELETE /scim/{issuer_id}/v2/Users/{id}': on('/Users', createUserBody),
    'GET /scim/{issuer_id}/v2/Groups': createSample({}),
    'POST /scim/{issuer_id}/v2/Groups/.search': createSample({ body: SEARCH }),
    'POST /scim/{issuer_id}/v2/Groups': async () => ({ ...(await createClient()), body: createGroupBody() }),
    'GET /scim/{issuer_id}/v2/Groups/{id}': on('/Groups', createGroupBody),
    'PUT /scim/{issuer_id}/v2/Groups/{id}': on('/Groups', createGroupBody, () => ({ body: createGroupBody() })),
    'PATCH /scim/{issuer_id}/v2/Groups/{id}': on('/Groups', createGroupBody, createRename),
    'DELETE /scim/{issuer_id}/v2/Groups/{id}': on('/Groups', createGroupBody),
    'GET /v1/scim-tokens': () => ({}),
    'POST /v1/scim-tokens': () => ({ body: { ...ISSUER, name: 'Sample' } }),
    'GET /v1/scim-tokens/{id}': createTokenSample,
    'POST /v1/scim-tokens/{id}/rotate': createTokenSample,
    'DELETE /v1/scim-tokens/{id}': createTokenSample,
  };
}
