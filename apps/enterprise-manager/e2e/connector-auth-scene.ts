/** The authentication of a connector in requests and responses. */
export type Auth = Record<string, unknown> & { type: string };

/** The objects that an authentication may refer to. */
interface References {
  providerId: string;
  otherProviderId: string;
  secretId: string;
}

/** The ARN of an AWS role. */
export const ROLE = 'arn:aws:iam::123456789012:role/readers';

/** A complete example of each type: its write, its read form, and the fields of its secrets. */
export const createAuthExamples = ({
  providerId: oidcId,
  otherProviderId: oauth2Id,
  secretId,
}: References): [Auth, Auth, string[]][] => {
  const createReference = () => ({ managed_secret_id: secretId });
  return [
    [{ type: 'none' }, { type: 'none' }, []],
    [
      { type: 'bearerToken', bearer_token: { token: createReference() } },
      { type: 'bearerToken' },
      ['bearer_token.token'],
    ],
    [
      { type: 'headerInjection', header_injection: { header_name: 'X-Key', value: createReference() } },
      { type: 'headerInjection', header_injection: { header_name: 'X-Key' } },
      ['header_injection.value'],
    ],
    ...[oidcId, oauth2Id].map((provider_id): [Auth, Auth, string[]] => [
      { type: 'upstreamInject', upstream_inject: { provider_id } },
      { type: 'upstreamInject', upstream_inject: { provider_id } },
      [],
    ]),
    (() => {
      const block = {
        token_url: 'https://sts.example.com/token',
        client_id: 'c',
        audience: 'a',
        scopes: ['s'],
        provider_id: oidcId,
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        external_token_header_name: 'X-Upstream-Token',
      };
      return [
        { type: 'tokenExchange', token_exchange: { ...block, client_secret: createReference() } },
        { type: 'tokenExchange', token_exchange: { ...block, client_secret_configured: true } },
        ['token_exchange.client_secret'],
      ];
    })(),
    (() => {
      const aws_sts = {
        provider_id: oidcId,
        region: 'eu-central-1',
        service: 'execute-api',
        role_claim: 'groups',
        role_mappings: [
          { claim: 'readers', role_arn: ROLE, priority: 1 },
          { matcher: 'team-*', role_arn: ROLE },
        ],
        fallback_role_arn: ROLE,
        session_duration: 900,
        session_name_claim: 'email',
      };
      return [{ type: 'awsSts', aws_sts }, { type: 'awsSts', aws_sts }, []];
    })(),
    (() => {
      const block = {
        provider_id: oidcId,
        client_id: 'c',
        tenant_id: 't',
        audience: 'a',
        authority: 'https://login.example.com',
        scopes: ['s'],
        cache_skew: '30s',
      };
      return [
        { type: 'obo', obo: { ...block, client_secret: createReference() } },
        { type: 'obo', obo: block },
        ['obo.client_secret'],
      ];
    })(),
    (() => {
      const block = {
        provider_id: oidcId,
        idp_client_id: 'i',
        idp_token_url: 'https://idp.example.com/token',
        insecure_target_token_url: true,
        scopes: ['s'],
        subject_token_type: 'id_token',
        target_audience: 'https://target.example.com',
        target_client_id: 't',
        target_resource: 'https://target.example.com/mcp',
        target_token_url: 'http://10.1.2.3/token',
      };
      return [
        {
          type: 'xaa',
          xaa: { ...block, idp_client_secret: createReference(), target_client_secret: createReference() },
        },
        { type: 'xaa', xaa: block },
        ['xaa.idp_client_secret', 'xaa.target_client_secret'],
      ];
    })(),
  ];
};

/** The write of an authentication without its secrets. */
export function removeReferences(auth: Auth): Auth {
  return JSON.parse(
    JSON.stringify(auth, (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'managed_secret_id' in value ? undefined : value,
    ),
  ) as Auth;
}
