import { createAttributeDocument, RESOURCE_KINDS, type Schema, SCHEMAS } from './schemas.ts';
import type { JsonObject, ResourceType } from './types.ts';

const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const RESOURCE_TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const PROVIDER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';

/** Maximum page size; a larger `count` is taken as this (RFC 7644 §3.4.2.4). */
export const MAX_PAGE = 200;

const createSchemaDocument = (schema: Schema, base: string): JsonObject => ({
  schemas: [SCHEMA_SCHEMA],
  id: schema.id,
  name: schema.name,
  description: schema.description,
  attributes: schema.attributes.map(createAttributeDocument),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
});

/** The documents below `/Schemas` (RFC 7643 §7). */
export const createSchemaDocuments = (base: string): JsonObject[] =>
  SCHEMAS.map((schema) => createSchemaDocument(schema, base));

/** The documents below `/ResourceTypes` (RFC 7643 §6). */
export const createResourceTypeDocuments = (base: string): JsonObject[] =>
  (['User', 'Group'] satisfies ResourceType[]).map((type) => {
    const { core, extensions, endpoint } = RESOURCE_KINDS[type];
    return {
      schemas: [RESOURCE_TYPE_SCHEMA],
      id: type,
      name: type,
      description: core.description,
      endpoint,
      schema: core.id,
      schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
      meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type}` },
    };
  });

/** The document at `/ServiceProviderConfig` (RFC 7643 §5). */
export const createProviderConfiguration = (base: string): JsonObject => ({
  schemas: [PROVIDER_SCHEMA],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_PAGE },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that an administrator created for the provisioning of this issuer.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});
