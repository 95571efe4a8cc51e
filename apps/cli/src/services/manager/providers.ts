import { readResponse, type Manager, type Schemas } from './manager.ts';
import { isId, requireUnique } from './named.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { secretReference } from './secrets.ts';
import { UsageError } from '../../errors/cli-error.ts';

type Provider = Schemas['ConnectorIdentityProvider'];
type Write = Schemas['ConnectorIdentityProviderWrite'];

const LIST = 'gatehouse admin providers list';
const SHAPE = { fields: { id: 'text' }, list: LIST } as const;

/** An identity provider, as flags describe it. */
export interface ProviderFlags {
  readonly name?: string | undefined;
  readonly issuer?: string | undefined;
  readonly 'authorization-endpoint'?: string | undefined;
  readonly 'token-endpoint'?: string | undefined;
  readonly 'client-id'?: string | undefined;
  readonly secret?: string | undefined;
  readonly dcr?: boolean | undefined;
  readonly scope?: readonly string[] | undefined;
  readonly 'private-addresses'?: boolean | undefined;
}

/** Lists identity providers in the order of their creation. */
export const listProviders = (
  manager: Manager,
  filter: { name?: string },
  wanted: ListOptions,
): Promise<Collected<Provider>> =>
  collect(wanted, (page) =>
    readResponse(
      manager,
      manager.api.GET('/v1/connector-identity-providers', { params: { query: { ...filter, ...page } } }),
      { fields: { items: 'list' } },
    ),
  );

/** Finds an identity provider by id or name. @throws CliError when it does not exist */
export const findIdentityProvider = async (manager: Manager, text: string): Promise<Provider> =>
  (await readWithEtag(manager, text)).provider;

/**
 * Creates an identity provider.
 * @param file its fields, if the user gave a file
 * @throws UsageError for an unknown kind of provider
 */
export async function createProvider(
  manager: Manager,
  file: Record<string, unknown> | undefined,
  words: ProviderFlags,
): Promise<Provider> {
  const body = applyFlags(file ?? {}, words);
  return readResponse(manager, manager.api.POST('/v1/connector-identity-providers', { body }), SHAPE);
}

/**
 * Replaces an identity provider by the fields of a file, or changes the fields that flags name. A
 * concurrent change by another administrator is not overwritten.
 */
export async function updateProvider(
  manager: Manager,
  text: string,
  file: Record<string, unknown> | undefined,
  words: ProviderFlags,
): Promise<Provider> {
  const { provider, etag } = await readWithEtag(manager, text);
  const { name, provider_type, oidc_config, oauth2_config } = provider;
  const held = { name, provider_type, ...(oidc_config ? { oidc_config } : { oauth2_config }) };
  const body = applyFlags(file === undefined ? held : { name, ...file }, words);
  const params = { path: { id: provider.id }, header: { 'If-Match': etag } };
  return readResponse(manager, manager.api.PUT('/v1/connector-identity-providers/{id}', { params, body }), SHAPE);
}

/** Deletes an identity provider that no connector uses. */
export async function deleteProvider(manager: Manager, { id }: Provider): Promise<void> {
  await readResponse(
    manager,
    manager.api.DELETE('/v1/connector-identity-providers/{id}', { params: { path: { id } } }),
  );
}

/** Sets the fields that flags name. The manager validates them and names the invalid field. */
function applyFlags(fields: Readonly<Record<string, unknown>>, words: ProviderFlags): Write {
  const type = words.issuer === undefined ? (fields['provider_type'] ?? getProviderType(words)) : 'oidc';
  const block = type === 'oauth2' ? 'oauth2_config' : 'oidc_config';
  const held = (fields[block] ?? {}) as Readonly<Record<string, unknown>>;
  const config = { ...held, ...fieldsOfFlags(words) };
  // A client is registered either in advance or by the gateway.
  if (words['client-id'] !== undefined) delete config['dcr'];
  if (words.dcr) delete config['client_id'];
  const name = words.name === undefined ? {} : { name: words.name };
  const { oidc_config: _o, oauth2_config: _a, ...rest } = fields;
  return { ...rest, ...name, provider_type: type, [block]: config } as unknown as Write;
}

function getProviderType(words: ProviderFlags): string {
  if (words['authorization-endpoint'] !== undefined) return 'oauth2';
  throw new UsageError('Give the sign-in of the provider', [
    '--issuer https://login.example.com',
    '--authorization-endpoint URL --token-endpoint URL, for OAuth 2 without OpenID Connect',
    '--file provider.json',
  ]);
}

function fieldsOfFlags(words: ProviderFlags): Record<string, unknown> {
  const fields = {
    issuer_url: words.issuer,
    authorization_endpoint: words['authorization-endpoint'],
    token_endpoint: words['token-endpoint'],
    client_id: words['client-id'],
    client_secret: words.secret === undefined ? undefined : secretReference(words.secret),
    dcr: words.dcr ? {} : undefined,
    scopes: words.scope,
    allow_private_ips: words['private-addresses'],
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function readWithEtag(manager: Manager, text: string): Promise<{ provider: Provider; etag: string }> {
  let id = text;
  if (!isId(text)) {
    const { items } = await listProviders(manager, { name: text }, { limit: 5, all: false });
    id = requireUnique('identity provider', text, items, ({ name }) => name, LIST).id;
  }
  const call = manager.api.GET('/v1/connector-identity-providers/{id}', { params: { path: { id } } });
  const provider = await readResponse(manager, call, SHAPE);
  return { provider, etag: (await call).response.headers.get('etag') ?? '' };
}
