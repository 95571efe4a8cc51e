import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { trackRequirements } from './scim-conformance.ts';
import {
  ERROR,
  GROUP,
  makeScimToken,
  createUserBody,
  type ScimResponse,
  type ScimClient,
  createScimClient,
  USER,
} from './scim-scene.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

interface SchemaDocument {
  id: string;
  attributes: Record<string, unknown>[];
  meta: { resourceType: string; location: string };
}

describe('SCIM: discovery documents', () => {
  const { verify, checkComplete } = trackRequirements('discovery');
  let manager: TestManager;
  let scim: ScimClient;

  beforeAll(async () => {
    manager = await startManager();
    scim = createScimClient(manager, (await makeScimToken(manager)).secret);
  });
  afterAll(() => manager.close());

  const isError = ({ status, headers, body }: ScimResponse<unknown>, expected: number): void => {
    expect(status).toBe(expected);
    expect(headers.get('content-type')).toMatch(/^application\/scim\+json/);
    expect(body).toMatchObject({
      schemas: [ERROR],
      status: String(expected),
      detail: expect.stringMatching(/\S+ \S+/),
    });
  };

  verify(['auth:bearer'], 'every endpoint refuses a request without a token of the issuer', async () => {
    for (const secret of ['', 'nonsense', manager.tokens.admin])
      for (const path of ['/Users', '/Groups', '/Schemas', '/ResourceTypes', '/ServiceProviderConfig']) {
        const response = await createScimClient(manager, secret)<unknown>('GET', path);
        isError(response, 401);
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      }
  });

  verify(['discovery:config'], 'the service provider configuration states the supported features', async () => {
    const { status, body } = await scim<unknown>('GET', '/ServiceProviderConfig');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
      meta: { resourceType: 'ServiceProviderConfig' },
    });
  });

  verify(['discovery:resource-types'], 'the resource types are listed and readable one by one', async () => {
    const { body } = await scim<{ schemas: string[]; Resources: SchemaDocument[] }>('GET', '/ResourceTypes');
    expect(body).toMatchObject({
      schemas: [LIST],
      totalResults: 2,
      Resources: [
        { name: 'User', endpoint: '/Users', schema: USER, schemaExtensions: [{ schema: ENTERPRISE, required: false }] },
        { name: 'Group', endpoint: '/Groups', schema: GROUP },
      ],
    });
    for (const type of body.Resources) {
      expect(type.meta.location).toMatch(new RegExp(`/scim/local/v2/ResourceTypes/${type.id}$`));
      expect((await scim<unknown>('GET', `/ResourceTypes/${type.id}`)).body).toEqual(type);
    }
  });

  verify(['discovery:schemas'], 'the schemas are listed and readable one by one', async () => {
    const { body } = await scim<{ totalResults: number; Resources: SchemaDocument[] }>('GET', '/Schemas');
    expect(body.Resources.map(({ id }) => id)).toEqual([USER, ENTERPRISE, GROUP]);
    for (const schema of body.Resources) {
      expect((await scim<unknown>('GET', `/Schemas/${schema.id}`)).body).toEqual(schema);
      for (const attribute of schema.attributes) {
        expect(attribute).toMatchObject({
          name: expect.any(String),
          type: expect.stringMatching(/^(string|boolean|reference|complex|binary|dateTime)$/),
          multiValued: expect.any(Boolean),
          required: expect.any(Boolean),
          mutability: expect.stringMatching(/^(readOnly|readWrite|immutable)$/),
          returned: expect.stringMatching(/^(always|default|request)$/),
        });
        expect(attribute['name']).not.toBe('password');
      }
    }
  });

  verify(['discovery:no-filter'], 'a filter on a discovery document is refused', async () => {
    for (const path of ['/Schemas', '/ResourceTypes', '/ServiceProviderConfig'])
      isError(await scim('GET', `${path}?filter=${encodeURIComponent('id eq "x"')}`), 403);
  });

  verify(['discovery:read-only'], 'a write to a discovery document is refused', async () => {
    for (const path of ['/Schemas', '/ResourceTypes', '/ServiceProviderConfig'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) isError(await scim(method, path), 405);
  });

  verify(['discovery:unknown'], 'an unknown schema or resource type returns 404', async () => {
    isError(await scim('GET', '/Schemas/urn:example:nothing'), 404);
    isError(await scim('GET', '/ResourceTypes/Robot'), 404);
    isError(await scim('GET', '/Robots'), 404);
  });

  verify(['media-type'], 'responses are SCIM JSON, and bodies may be SCIM JSON or JSON', async () => {
    for (const type of ['application/scim+json', 'application/json', 'application/scim+json; charset=utf-8']) {
      const response = await scim('POST', '/Users', createUserBody(), { 'content-type': type, accept: type });
      expect(response.status).toBe(201);
      expect(response.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    }
    isError(await scim('POST', '/Users', 'userName=x', { 'content-type': 'application/x-www-form-urlencoded' }), 415);
  });

  verify(['bulk:refused'], 'bulk is refused', async () => {
    isError(
      await scim('POST', '/Bulk', { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [] }),
      501,
    );
  });

  verify(['me:refused'], '/Me is refused', async () => {
    isError(await scim('GET', '/Me'), 501);
  });

  verify(['error:body'], 'errors of every layer have the same form', async () => {
    isError(await scim('GET', '/Users/unknown'), 404);
    isError(await scim('POST', '/Users', '{"schemas":'), 400);
    isError(await scim('POST', '/Users', createUserBody({ userName: '' })), 400);
    isError(await scim('GET', '/Users?count=many'), 400);
    isError(await scim('GET', '/Users?filter=x'), 400);
  });

  checkComplete();
});
