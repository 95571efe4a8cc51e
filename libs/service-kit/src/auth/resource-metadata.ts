import { RESOURCE_METADATA_PATH } from '@gatehouse/auth/resource-metadata-url';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { HttpError } from '../errors/http-error.ts';
import type { DocumentedRoute } from '../routes/route-facts.ts';

/** Metadata of an API as a protected resource (RFC 9728). */
export const ProtectedResourceMetadata = z
  .object({
    resource: z.string().describe('This API; tokens for it have this or the audience of the deployment in `aud`'),
    authorization_servers: z.array(z.string()).describe('Issuers whose access tokens are accepted'),
    bearer_methods_supported: z.array(z.string()).meta({ examples: [['header']] }),
    jwks_uri: z.string().optional().describe('Keys that verify what this API signs; absent where it signs nothing'),
    scopes_supported: z.array(z.string()).meta({ examples: [['openid', 'profile', 'email']] }),
    resource_name: z.string().describe('What people call this API'),
    resource_documentation: z.string().describe('Its reference'),
  })
  .meta({ id: 'ProtectedResourceMetadata', description: 'OAuth 2.0 Protected Resource Metadata (RFC 9728)' });
type ProtectedResourceMetadata = z.infer<typeof ProtectedResourceMetadata>;

/** The API of a service as a protected resource. */
export interface ProtectedResource {
  /**
   * Its identifier: an absolute URL without a slash at the end. A port may be chosen late, so it is
   * asked when needed.
   */
  resource: () => string;
  /** Issuers whose access tokens are accepted. */
  issuers: readonly string[];
  name: string;
  /** Path of its own signing keys below the resource. */
  keySetPath?: string | undefined;
  /** False: the metadata answers 404 and no challenge names it. */
  isPublished: boolean;
}

/** Scopes that a client asks for to sign a person in. */
export const SIGN_IN_SCOPES = ['openid', 'profile', 'email'];

/** Serves the metadata of a service's API, without a token. */
export function addResourceMetadata(server: FastifyInstance, api: ProtectedResource): void {
  for (const { path, facts } of metadataRoutes(''))
    server.get(path.replace('{path}', '*'), { config: { gatehouse: facts } }, (request) =>
      metadataOf(api, (request.params as { '*'?: string })['*']),
    );
}

/**
 * @throws HttpError not_found where the deployment does not publish it, or has no resource with
 * this path
 */
function metadataOf(api: ProtectedResource, path = ''): ProtectedResourceMetadata {
  if (!api.isPublished)
    throw new HttpError('not_found', 'this deployment does not publish protected resource metadata');
  const resource = api.resource();
  if (path !== '' && `/${path}` !== new URL(resource).pathname)
    throw new HttpError('not_found', 'no protected resource of this deployment has this path');
  return {
    resource,
    authorization_servers: [...api.issuers],
    bearer_methods_supported: ['header'],
    ...(api.keySetPath !== undefined && { jwks_uri: `${resource}${api.keySetPath}` }),
    scopes_supported: SIGN_IN_SCOPES,
    resource_name: api.name,
    resource_documentation: `${resource}/api/doc`,
  };
}

/**
 * The routes of the metadata as the OpenAPI document shows them.
 * @param name of the API, for the example
 */
export const metadataRoutes = (name: string): DocumentedRoute[] => {
  const open = { access: 'public' as const, takes: { body: false, query: false } };
  const operation = {
    success: { status: 200, schema: ProtectedResourceMetadata },
    errors: [404],
    tag: 'discovery',
  };
  const answer = {
    resource: 'https://gatehouse.example.com',
    authorization_servers: ['https://id.example.com'],
    bearer_methods_supported: ['header'],
    scopes_supported: SIGN_IN_SCOPES,
    resource_name: name,
    resource_documentation: 'https://gatehouse.example.com/api/doc',
  };
  return [
    {
      path: RESOURCE_METADATA_PATH,
      id: 'protected_resource_metadata',
      facts: {
        ...open,
        operation: {
          ...operation,
          summary: 'OAuth protected resource metadata',
          examples: {
            answer,
            failures: { 404: 'this deployment does not publish protected resource metadata' },
          },
        },
      },
    },
    {
      path: `${RESOURCE_METADATA_PATH}/{path}`,
      id: 'protected_resource_metadata_at',
      facts: {
        ...open,
        operation: {
          ...operation,
          summary: 'OAuth protected resource metadata of a resource with a path',
          description: 'RFC 9728 puts the path of `resource` behind the well-known part; any other path is a 404.',
          examples: {
            answer: { ...answer, resource: 'https://example.com/gatehouse' },
            parameters: { path: 'gatehouse' },
            failures: { 404: 'no protected resource of this deployment has this path' },
          },
        },
      },
    },
  ];
};
