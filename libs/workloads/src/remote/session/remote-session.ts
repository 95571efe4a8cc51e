import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { RunConfig } from '../../configuration/run-config.ts';

/** The session of a workload at the authorization server of its remote server. It is one secret. */
const RemoteSessionSchema = z.object({
  /** The settings that the tokens were issued for; see {@link getBinding}. */
  binding: z.string(),
  issuer: z.string(),
  token_endpoint: z.string(),
  /** Absent where the server has none, or was given by its endpoints. */
  revocation_endpoint: z.optional(z.string()),
  /** The client: its secret is here only where it has registered itself. */
  client_id: z.string(),
  client_secret: z.optional(z.string()),
  client_auth_method: z.optional(z.enum(['client_secret_basic', 'client_secret_post'])),
  /** The redirect address of a client that has registered itself. */
  registered_redirect_uri: z.optional(z.string()),
  resource: z.optional(z.string()),
  /** Which addresses of the authorization server may be called. */
  allows_private: z.boolean(),
  access_token: z.optional(z.string()),
  /** Milliseconds since the epoch; absent: the server names no lifetime. */
  expires_at: z.optional(z.number()),
  refresh_token: z.optional(z.string()),
  /** The granted scopes, and those that the sign-in asked for. */
  scopes: z.optional(z.array(z.string())),
  asked_scopes: z.optional(z.array(z.string())),
  /** The scopes that the server has missed, which the next sign-in asks for too. */
  required_scopes: z.optional(z.array(z.string())),
});

/** See {@link RemoteSessionSchema}. */
export type RemoteSession = Readonly<z.output<typeof RemoteSessionSchema>>;

/** Lists the scopes that the server has missed, and that no sign-in has asked for. */
export const listMissingScopes = ({ required_scopes: required = [], asked_scopes: asked = [] }: RemoteSession) =>
  required.filter((scope) => !asked.includes(scope));

/** Reads a stored session; undefined for a text of another form. */
export function parseSession(text: string): RemoteSession | undefined {
  try {
    return RemoteSessionSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * A hash of the settings of a sign-in. Tokens that were issued for other settings, for example for
 * another server under the same name, are not used.
 */
export function getBinding({ remote_url: url, remote_auth_config: section }: RunConfig): string {
  const { issuer, authorize_url, token_url, client_id, scopes, scope_param_name, resource, resource_url } =
    section ?? {};
  const server = [issuer, authorize_url, token_url, client_id].map((value) => value || null);
  const grant = [scopes ?? [], scope_param_name || null, resource || null, resource_url || null];
  return createHash('sha256')
    .update(JSON.stringify([url, server, grant]))
    .digest('base64url');
}
