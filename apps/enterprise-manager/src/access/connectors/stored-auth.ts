import type { ConnectorAuth } from './connector-auth.dto.ts';

type Block<Name extends keyof ConnectorAuth> = Record<Name, NonNullable<ConnectorAuth[Name]>>;

/** The stored authentication. References to secrets are stored separately. */
export type StoredAuth =
  | { type: 'none' }
  | { type: 'bearerToken' }
  | ({ type: 'headerInjection' } & Block<'header_injection'>)
  | ({ type: 'upstreamInject' } & Block<'upstream_inject'>)
  | ({ type: 'tokenExchange' } & Block<'token_exchange'>)
  | ({ type: 'awsSts' } & Block<'aws_sts'>)
  | ({ type: 'obo' } & Block<'obo'>)
  | ({ type: 'xaa' } & Block<'xaa'>);

/** The fields of `auth` that refer to secrets. */
export type SecretField =
  | 'bearer_token.token'
  | 'header_injection.value'
  | 'token_exchange.client_secret'
  | 'obo.client_secret'
  | 'xaa.idp_client_secret'
  | 'xaa.target_client_secret';

/** Returns the identity provider of a connector. */
export function getProviderId(auth: StoredAuth): string | undefined {
  switch (auth.type) {
    case 'upstreamInject':
      return auth.upstream_inject.provider_id;
    case 'tokenExchange':
      return auth.token_exchange.provider_id;
    case 'awsSts':
      return auth.aws_sts.provider_id;
    case 'obo':
      return auth.obo.provider_id;
    case 'xaa':
      return auth.xaa.provider_id;
    default:
      return undefined;
  }
}
