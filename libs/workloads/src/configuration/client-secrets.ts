import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { WorkloadError } from '../errors/workload-error.ts';
import type { AuthenticationSections } from '../flags/authentication-sections.ts';

/** The clients of the proxy that have a secret. */
export const CLIENTS = ['oidc', 'token_exchange'] as const;
/** See {@link CLIENTS}. */
export type Client = (typeof CLIENTS)[number];
/** A secret of a section: of a client, or the bearer token for a remote server. */
export type Credential = Client | 'remote_auth' | 'remote_bearer';

/** The secrets of the sections: references, or their values. */
export type ClientSecrets<T> = Readonly<Partial<Record<Credential, T>>>;

/** A reference in a configuration, as exported configurations write it. */
const REFERENCE = /^[^,]+,target=.+$/s;

/** The fields of the secrets. */
const FIELDS: Readonly<Record<Credential, string>> = {
  oidc: 'oidc_config.ClientSecret',
  token_exchange: 'token_exchange_config.client_secret',
  remote_auth: 'remote_auth_config.client_secret',
  remote_bearer: 'remote_auth_config.bearer_token',
};

/** The beginnings of the names of stored secrets. */
const PREFIXES: Readonly<Record<Credential, string>> = {
  oidc: 'OIDC_CLIENT_SECRET',
  token_exchange: 'TOKEN_EXCHANGE_CLIENT_SECRET',
  remote_auth: 'OAUTH_CLIENT_SECRET',
  remote_bearer: 'BEARER_TOKEN',
};

/**
 * Names the secret that a start of a workload stores. A name that is taken by another value gets a
 * number: `NAME_2`.
 */
export const nameStoredCredential = (credential: Credential, workload: string): string =>
  `${PREFIXES[credential]}_${workload}`;

/** Finds the texts of the secrets: references, or secrets that are not stored yet. */
export function findClientSecrets(sections: AuthenticationSections): ClientSecrets<string> {
  const { oidc_config: oidc, token_exchange_config: exchange, remote_auth_config: remote } = sections;
  return {
    ...(oidc?.ClientSecret && { oidc: oidc.ClientSecret }),
    ...(exchange?.client_secret && { token_exchange: exchange.client_secret }),
    ...(remote?.client_secret && { remote_auth: remote.client_secret }),
    ...(remote?.bearer_token && { remote_bearer: remote.bearer_token }),
  };
}

/** Whether a text is a reference, and not the secret itself. */
export const isReference = (secret: string): boolean => REFERENCE.test(secret);

/** Replaces the secrets of a command line or a configuration by references to stored ones. */
export function replaceClientSecrets<T extends AuthenticationSections>(
  sections: T,
  references: ClientSecrets<SecretReference>,
): T {
  const { oidc, token_exchange: exchange, remote_auth: client, remote_bearer: bearer } = references;
  const remote = {
    ...(client && { client_secret: String(client) }),
    ...(bearer && { bearer_token: String(bearer) }),
  };
  return {
    ...sections,
    ...(oidc && { oidc_config: { ...sections.oidc_config, ClientSecret: String(oidc) } }),
    ...(exchange && { token_exchange_config: { ...sections.token_exchange_config, client_secret: String(exchange) } }),
    ...((client || bearer) && { remote_auth_config: { ...sections.remote_auth_config, ...remote } }),
  };
}

/**
 * The references of the secrets of a configuration that is stored.
 * @throws WorkloadError (failed) for a secret in clear, which no file of Gatehouse may have
 */
export function listClientReferences(sections: AuthenticationSections): ClientSecrets<SecretReference> {
  const found = Object.entries(findClientSecrets(sections)) as [Credential, string][];
  for (const [client, secret] of found) {
    if (!isReference(secret))
      throw new WorkloadError('failed', `${FIELDS[client]} is no reference to a secret`, [
        `gatehouse secret set NAME   stores it; write NAME,target=${client} in its place`,
      ]);
  }
  return Object.fromEntries(found.map(([client, secret]) => [client, SecretReference.parse(secret, FIELDS[client])]));
}
