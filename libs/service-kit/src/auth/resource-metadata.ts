import { z } from 'zod';
import { HttpError } from '../errors/http-error.ts';
import type { ProtectedResource } from './protected-resource.ts';

/** Metadata of an API as a protected resource (RFC 9728). */
export const ProtectedResourceMetadata = z
  .object({
    resource: z
      .string()
      .describe('Identifier of this API. The `aud` of a token has this value or the audience of the deployment'),
    authorization_servers: z
      .array(z.string())
      .optional()
      .describe('Issuers whose access tokens are accepted; absent while there is none'),
    bearer_methods_supported: z.array(z.string()).meta({ examples: [['header']] }),
    jwks_uri: z
      .string()
      .optional()
      .describe('Keys for the verification of signatures of this API; absent if it does not sign'),
    scopes_supported: z.array(z.string()).meta({ examples: [['openid', 'profile', 'email']] }),
    resource_name: z.string().describe('Name of this API'),
    resource_documentation: z.string().describe('Address of the reference of this API'),
  })
  .meta({ id: 'ProtectedResourceMetadata', description: 'OAuth 2.0 Protected Resource Metadata (RFC 9728)' });
export type ProtectedResourceMetadata = z.infer<typeof ProtectedResourceMetadata>;

/** Scopes that a client requests for a sign-in. */
export const SIGN_IN_SCOPES = ['openid', 'profile', 'email'];

export const UNPUBLISHED = 'this deployment does not publish protected resource metadata';
export const OTHER_PATH = 'no protected resource of this deployment has this path';

/**
 * @param path of the resource, without the first slash; empty for the metadata of the API itself
 * @throws HttpError not_found if the deployment does not publish the metadata or has no resource
 * with this path
 */
export function createResourceMetadata(api: ProtectedResource, path: string): ProtectedResourceMetadata {
  if (!api.isPublished) throw new HttpError('not_found', UNPUBLISHED);
  const resource = api.resource();
  const issuers = api.issuers();
  if (path !== '' && `/${path}` !== new URL(resource).pathname) throw new HttpError('not_found', OTHER_PATH);
  return {
    resource,
    // RFC 9728, section 2: a member without values is left out.
    ...(issuers.length > 0 && { authorization_servers: [...issuers] }),
    bearer_methods_supported: ['header'],
    ...(api.keySetPath !== undefined && { jwks_uri: `${resource}${api.keySetPath}` }),
    scopes_supported: SIGN_IN_SCOPES,
    resource_name: api.name,
    resource_documentation: `${resource}/api/doc`,
  };
}
