import type { ServiceInfo } from '@gatehouse/service-kit/openapi';

/** The groups of operations in the reference, in the order in which a new reader needs them. */
export const referenceGroups: NonNullable<ServiceInfo['tags']> = [
  {
    name: 'discovery',
    description:
      'The documents from which clients start, without a token: the metadata of this API as a protected resource (RFC 9728), the bootstrap document of clients, and the public keys of the service (RFC 7517).',
  },
  {
    name: 'me',
    description:
      'Operations on the caller’s own profile, connections and recorded calls. An object of another user answers 404, like an object that does not exist.',
  },
  {
    name: 'keys',
    description:
      'Virtual API keys for the AI gateway. Only the responses of creation and rotation contain the secret. After a rotation the previous secret stays valid for 24 hours. Disabling and revocation take effect everywhere within a second.',
  },
  {
    name: 'users',
    description:
      'The users of the directory. SCIM, the configuration or the first sign-in creates them; this API has no operation for it.',
  },
  {
    name: 'groups',
    description:
      'Groups of users and of other groups, with at most 32 levels and without cycles. A group that SCIM provisions can be changed only through SCIM.',
  },
  { name: 'metadata', description: 'JSON documents that administrators attach to users and groups.' },
  {
    name: 'scim',
    description:
      'SCIM 2.0 (RFC 7643, RFC 7644) for identity providers. Each issuer has its own base address and its own tokens. Errors have the form of RFC 7644.',
  },
  {
    name: 'scim-tokens',
    description:
      'The tokens that identity providers present to SCIM. Only the response of the creation contains the token.',
  },
  {
    name: 'managed-secrets',
    description:
      'Credentials for upstreams, encrypted at rest. Administrators can write and replace them, and no operation returns their value. A secret that a connector uses cannot be deleted.',
  },
  {
    name: 'connectors',
    description:
      'The MCP servers of a gateway. Users do not see a draft. Publishing checks the endpoint and sets the status to `available` or `failure`.',
  },
  {
    name: 'connector-identity-providers',
    description:
      'The OpenID Connect or OAuth 2 providers from which connectors get the credentials of users. The client is registered by hand or registers itself. A provider that a connector uses cannot be deleted.',
  },
  {
    name: 'policies',
    description: 'The rules that decide which users may use a connector: granted groups, or a Cedar policy.',
  },
  {
    name: 'connections',
    description: 'The connections of all users, for administrators: which user has enabled which connector.',
  },
  {
    name: 'config',
    description:
      'The signed configuration that every client fetches for its user, with overrides for groups, and the keys that sign it (next, current and previous).',
  },
  {
    name: 'budgets',
    description:
      'Limits on the spend of users and groups in a day, a month or a year (UTC). Each request has one payer: the user, or else the first group whose budgets can pay in all their periods.',
  },
  {
    name: 'pricing',
    description:
      'The prices of models. The catalog has versions: one is in effect, and one can be staged for later. A change by an operator republishes the whole catalog permanently; prices of later releases no longer apply.',
  },
  {
    name: 'spend',
    description:
      'Usage events as gateways reported them, charges, and sums by payer, user, model and day. The entries of a breakdown always add up to its total.',
  },
  {
    name: 'budget-alerts',
    description: 'Webhooks that report once when a budget reaches a threshold (Standard Webhooks).',
  },
  { name: 'metering', description: 'Recorded tool calls.' },
  {
    name: 'audit-events',
    description: 'The record of all changes and refused requests. No one can change or delete an audit event.',
  },
  {
    name: 'gateway calls',
    description: 'Operations for the gateways of a deployment. They need a token with the role `gateway`.',
  },
];
