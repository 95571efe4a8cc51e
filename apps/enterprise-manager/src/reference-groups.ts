import type { ServiceInfo } from '@gatehouse/service-kit/openapi';

/** The groups of this service's reference, in the order in which somebody new meets them. */
export const referenceGroups: NonNullable<ServiceInfo['tags']> = [
  {
    name: 'discovery',
    description:
      'Where clients begin, without a token: the metadata of this API as a protected resource (RFC 9728), the bootstrap document of clients, and the keys that verify what the service signs.',
  },
  {
    name: 'me',
    description:
      'What a person may do for themself: profile, connections and recorded calls. Another person’s object looks like one that does not exist.',
  },
  {
    name: 'keys',
    description:
      'Virtual API keys for the AI gateway. A secret is shown once, when it is made; a rotated key takes the old secret for 24 more hours. Disabling and revoking act everywhere within a second.',
  },
  {
    name: 'users',
    description:
      'The people of the directory. They come from SCIM, from the configuration, or from their first sign-in; there is no operation that creates one.',
  },
  {
    name: 'groups',
    description:
      'Groups of people and of other groups: 32 levels at most, never in a circle. Groups that a directory provisions through SCIM are changed there.',
  },
  { name: 'metadata', description: 'Small notes of administrators on people and groups.' },
  {
    name: 'scim',
    description:
      'SCIM 2.0 (RFC 7643, RFC 7644) for identity providers, one base address for each issuer, with a token of its own. Failures have the form of RFC 7644.',
  },
  { name: 'scim-tokens', description: 'The tokens that identity providers present to SCIM. A token is shown once.' },
  {
    name: 'managed-secrets',
    description:
      'Credentials for upstreams, encrypted at rest. They can be written and replaced, never read; a secret in use cannot be deleted.',
  },
  {
    name: 'connectors',
    description:
      'The MCP servers of a gateway. A draft is invisible; publishing checks the endpoint, and `available` or `failure` is what came of it.',
  },
  {
    name: 'connector-identity-providers',
    description:
      'Where connectors get the credentials of people: OpenID Connect or OAuth 2, as a client that was registered by hand or registers itself. One that a connector uses cannot be deleted.',
  },
  { name: 'policies', description: 'Who may use a connector: by groups, or by a Cedar policy of your own.' },
  { name: 'connections', description: 'Which person has switched which connector on, as administrators see it.' },
  {
    name: 'config',
    description:
      'The signed configuration that every client fetches for its user: what it says, with overrides for groups, and the keys that sign it (the next, the current, the previous).',
  },
  {
    name: 'budgets',
    description:
      'What people and groups may spend in a day, a month or a year (UTC). A request has one payer: the person, else the first group that can pay, and all periods of the payer must have room.',
  },
  {
    name: 'pricing',
    description:
      'What models cost. The catalog has versions: one is in effect, one may be staged for later. Any change of an operator replaces the whole catalog for good, and the prices that come with releases no longer count.',
  },
  {
    name: 'spend',
    description:
      'What was used and charged: events as gateways reported them, charges, and sums by payer, person, model and day. Entries always add up to their total.',
  },
  {
    name: 'budget-alerts',
    description: 'Webhooks that say when a budget has been used to a threshold (Standard Webhooks), each once.',
  },
  { name: 'metering', description: 'Recorded tool calls.' },
  { name: 'audit-events', description: 'Who changed what, and who was refused. Nobody can change or delete a row.' },
  {
    name: 'gateway calls',
    description: 'What the gateways of a deployment ask and report. They need a token with the role `gateway`.',
  },
];
