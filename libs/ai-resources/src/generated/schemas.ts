// Generated from deploy/crds by `npm run contracts`. Do not edit.

import type { StructuralSchema } from '../structural-schema.ts';

/** The schema of each kind. It refuses unknown fields. `metadata` has its rules elsewhere. */
export const SCHEMAS: Readonly<Record<'AIGateway' | 'AIPolicy', StructuralSchema>> = {
  AIGateway: {
    type: 'object',
    description: 'An AI gateway with its token issuer, its model providers and its routes.',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: 'The version of this schema, gatehouse.dev/v1alpha1.' },
      kind: { type: 'string', description: 'The kind of this resource, AIGateway.' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        title: 'AIGatewaySpec',
        description: 'The desired configuration of the gateway.',
        required: ['auth'],
        properties: {
          listeners: {
            type: 'array',
            minItems: 1,
            maxItems: 8,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            description:
              'The ports on which the gateway accepts requests. Without listeners, the gateway uses the port of its deployment.',
            items: {
              type: 'object',
              title: 'Listener',
              description: 'A port on which the gateway accepts requests.',
              required: ['name', 'port'],
              properties: {
                name: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 63,
                  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                  example: 'team-a',
                  description: 'The name of the listener, unique in the gateway.',
                },
                port: { type: 'integer', format: 'int32', minimum: 1, maximum: 65535, description: 'The port.' },
                hostname: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 253,
                  pattern: '^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
                  example: 'ai.example.com',
                  description:
                    'The host name of accepted requests, which can begin with the label *. Without it, the listener accepts all host names.',
                },
              },
              additionalProperties: false,
            },
          },
          auth: {
            type: 'object',
            title: 'GatewayAuth',
            description: 'How callers are authenticated, and which roles they have.',
            required: ['oidc'],
            properties: {
              oidc: {
                type: 'object',
                title: 'OidcProvider',
                description: 'The OpenID provider whose access tokens the gateway and its management accept.',
                required: ['issuer', 'audience'],
                properties: {
                  issuer: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 2048,
                    pattern:
                      '^https?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[A-Za-z0-9._~%!$&()*+,;=:@/?-]*)?$',
                    example: 'https://login.example.com/path',
                    description: 'The issuer, exactly as in the claim iss.',
                  },
                  audience: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 1024,
                    description: 'The audience that the claim aud must contain.',
                  },
                  jwksUri: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 2048,
                    pattern:
                      '^https?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[A-Za-z0-9._~%!$&()*+,;=:@/?-]*)?$',
                    example: 'https://login.example.com/path',
                    description:
                      'The address of the keys of the issuer. Without it, OpenID Connect Discovery finds them.',
                  },
                },
                additionalProperties: false,
              },
              authz: {
                type: 'object',
                title: 'GatewayAuthorization',
                description: 'The roles of callers.',
                properties: {
                  roles: {
                    type: 'object',
                    maxProperties: 32,
                    description:
                      'The matchers of each role, by its name. A principal has a role when one of its matchers matches. The management API uses the roles authenticated, policyEditor and admin.',
                    additionalProperties: {
                      type: 'array',
                      minItems: 1,
                      maxItems: 32,
                      'x-kubernetes-list-type': 'atomic',
                      items: {
                        type: 'object',
                        title: 'PrincipalMatcher',
                        description: 'Matches a principal whose token has all of these claims.',
                        required: ['claims'],
                        properties: {
                          claims: {
                            type: 'object',
                            minProperties: 1,
                            maxProperties: 16,
                            description:
                              'The required value of each claim, by the name of the claim or its dotted path, such as realm_access.roles. A claim matches when its value is exactly this text, a list that contains it, or a boolean or an integer whose JSON is this text.',
                            additionalProperties: { type: 'string', minLength: 1, maxLength: 1024 },
                          },
                        },
                        additionalProperties: false,
                      },
                    },
                  },
                },
                additionalProperties: false,
              },
            },
            additionalProperties: false,
          },
          virtualKeys: {
            type: 'object',
            title: 'VirtualKeys',
            description: 'The virtual API keys of users.',
            default: {},
            properties: {
              enabled: {
                type: 'boolean',
                default: true,
                description: 'Whether the gateway accepts virtual API keys beside access tokens.',
              },
            },
            additionalProperties: false,
          },
          providers: {
            type: 'array',
            maxItems: 64,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            description: 'The model providers to which routes can send requests.',
            items: {
              type: 'object',
              title: 'Provider',
              description:
                'A model provider. It has at most one of secretRef and managedSecretId; without them, its requests have no credential.',
              required: ['name', 'kind', 'endpoint'],
              not: { required: ['secretRef', 'managedSecretId'] },
              properties: {
                name: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 63,
                  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                  example: 'team-a',
                  description: 'The name of the provider, unique in the gateway.',
                },
                kind: {
                  type: 'string',
                  enum: ['openai', 'anthropic', 'google'],
                  description: 'The wire format of the provider. It also selects the prices of its models.',
                },
                endpoint: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 2048,
                  pattern: '^https?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?$',
                  example: 'https://api.openai.com',
                  description: 'The origin of the provider, such as https://api.openai.com, without a path.',
                },
                pathPrefix: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^(/[A-Za-z0-9._~%!$&()*+,;=:@-]+)+$',
                  example: '/openai/v1',
                  description:
                    'The path that precedes the path of each request, such as /openai/v1. The default is /v1 for openai and anthropic, and /v1beta for google.',
                },
                platform: {
                  type: 'object',
                  title: 'ProviderPlatform',
                  minProperties: 1,
                  maxProperties: 1,
                  description:
                    'The cloud platform that serves the models, which has its own paths and credentials. Without it, the provider has the API of the vendor.',
                  properties: {
                    azure: {
                      type: 'object',
                      title: 'AzurePlatform',
                      description:
                        'Deployments of Azure OpenAI, for the kind openai. The model of a backend is the name of a deployment. The credential is an API key.',
                      required: ['apiVersion'],
                      properties: {
                        apiVersion: {
                          type: 'string',
                          minLength: 10,
                          maxLength: 32,
                          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(-preview)?$',
                          example: '2024-10-21',
                          description: 'The version of the API, for the query parameter api-version.',
                        },
                      },
                      additionalProperties: false,
                    },
                    bedrock: {
                      type: 'object',
                      title: 'BedrockPlatform',
                      description:
                        'Amazon Bedrock, for the kinds anthropic and openai. The credential is a Bedrock API key, or JSON with accessKeyId, secretAccessKey and an optional sessionToken.',
                      required: ['region'],
                      properties: {
                        region: {
                          type: 'string',
                          minLength: 1,
                          maxLength: 63,
                          pattern: '^[a-z0-9]+(-[a-z0-9]+)+$',
                          example: 'us-east-1',
                          description: 'The AWS region of the endpoint, for signatures.',
                        },
                      },
                      additionalProperties: false,
                    },
                    vertex: {
                      type: 'object',
                      title: 'VertexPlatform',
                      description:
                        'Google Vertex AI, for the kinds google, anthropic and openai. The credential is the key of a service account, as JSON.',
                      required: ['project', 'location'],
                      properties: {
                        project: {
                          type: 'string',
                          minLength: 1,
                          maxLength: 128,
                          pattern: '^[a-z0-9]([-a-z0-9.:]*[a-z0-9])?$',
                          example: 'my-project',
                          description: 'The id or the number of the Google Cloud project.',
                        },
                        location: {
                          type: 'string',
                          minLength: 1,
                          maxLength: 63,
                          pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
                          example: 'us-central1',
                          description: 'The location of the models, such as us-central1 or global.',
                        },
                      },
                      additionalProperties: false,
                    },
                  },
                  additionalProperties: false,
                },
                secretRef: {
                  type: 'object',
                  title: 'SecretKeyRef',
                  description: 'A credential in a Secret of the same namespace.',
                  required: ['name', 'key'],
                  properties: {
                    name: {
                      type: 'string',
                      minLength: 1,
                      maxLength: 253,
                      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
                      example: 'team-a.example',
                      description: 'The name of the Secret.',
                    },
                    key: {
                      type: 'string',
                      minLength: 1,
                      maxLength: 253,
                      pattern: '^[-._a-zA-Z0-9]+$',
                      example: 'api-key',
                      description: 'The key of the credential in the Secret.',
                    },
                  },
                  additionalProperties: false,
                },
                managedSecretId: {
                  type: 'string',
                  minLength: 36,
                  maxLength: 36,
                  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
                  example: '0197a3c2-2b9c-71d5-aff2-f15eb4bb768a',
                  description:
                    'The credential of the provider, as the id of a managed secret of the enterprise manager. GATEWAYS of the enterprise manager must list the id for the gateway.',
                },
              },
              additionalProperties: false,
            },
          },
          routes: {
            type: 'array',
            maxItems: 1000,
            'x-kubernetes-list-type': 'atomic',
            description:
              'The models of the gateway and their backends. Of several routes for one model, the first applies.',
            items: {
              type: 'object',
              title: 'Route',
              description: 'The backends of one model.',
              required: ['match', 'backends'],
              properties: {
                name: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 63,
                  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                  example: 'team-a',
                  description: 'The name of the route, for logs and metrics.',
                },
                match: {
                  type: 'object',
                  title: 'RouteMatch',
                  description: 'The requests to which the route applies.',
                  required: ['model'],
                  properties: {
                    model: {
                      type: 'string',
                      minLength: 1,
                      maxLength: 256,
                      pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/@+-]*$',
                      example: 'gpt-5',
                      description: 'The exact name of the model in requests.',
                    },
                  },
                  additionalProperties: false,
                },
                displayName: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 256,
                  description: 'The name of the model for people.',
                },
                contextWindow: {
                  type: 'integer',
                  format: 'int64',
                  minimum: 1,
                  maximum: 1000000000,
                  description: 'The size of the context window of the model, in tokens.',
                },
                backends: {
                  type: 'array',
                  minItems: 1,
                  maxItems: 16,
                  'x-kubernetes-list-type': 'atomic',
                  description: 'The providers that serve the model.',
                  items: {
                    type: 'object',
                    title: 'Backend',
                    description: 'A provider that serves the model.',
                    required: ['provider'],
                    properties: {
                      provider: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 63,
                        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                        example: 'team-a',
                        description: 'The name of a provider of the gateway.',
                      },
                      model: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 256,
                        pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/@+-]*$',
                        example: 'gpt-5',
                        description:
                          'The name of the model at the provider. Without it, the name in the request stays.',
                      },
                      pricedAs: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 256,
                        pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/@+-]*$',
                        example: 'gpt-5',
                        description:
                          'The name of the model in prices and usage, where the provider has another name for it, such as that of a deployment. Without it, the name at the provider.',
                      },
                      weight: {
                        type: 'integer',
                        format: 'int32',
                        minimum: 0,
                        maximum: 1000000,
                        default: 1,
                        description:
                          'The share of requests among the backends of one priority. A backend with the weight 0 receives no requests.',
                      },
                      priority: {
                        type: 'integer',
                        format: 'int32',
                        minimum: 0,
                        maximum: 15,
                        default: 0,
                        description:
                          'Backends with the lowest priority receive the requests. Those with the next priority receive them when all of these fail.',
                      },
                    },
                    additionalProperties: false,
                  },
                },
                timeouts: {
                  type: 'object',
                  title: 'RouteTimeouts',
                  description: 'The time limits of requests. Without a limit, the setting of the deployment applies.',
                  properties: {
                    connectSeconds: {
                      type: 'integer',
                      format: 'int32',
                      minimum: 1,
                      maximum: 300,
                      description: 'The time to connect to the provider, in seconds.',
                    },
                    requestSeconds: {
                      type: 'integer',
                      format: 'int32',
                      minimum: 1,
                      maximum: 86400,
                      description: 'The time for the whole request, in seconds.',
                    },
                    streamIdleSeconds: {
                      type: 'integer',
                      format: 'int32',
                      minimum: 1,
                      maximum: 3600,
                      description: 'The time between two parts of a stream, in seconds.',
                    },
                  },
                  additionalProperties: false,
                },
              },
              additionalProperties: false,
            },
          },
          defaultRoute: {
            type: 'object',
            title: 'DefaultRoute',
            description:
              'The backends of all models without a route. The list of models does not contain them. Without a default route, the gateway refuses such models.',
            required: ['backends'],
            properties: {
              backends: {
                type: 'array',
                minItems: 1,
                maxItems: 16,
                'x-kubernetes-list-type': 'atomic',
                description: 'The providers that serve the model.',
                items: {
                  type: 'object',
                  title: 'Backend',
                  description: 'A provider that serves the model.',
                  required: ['provider'],
                  properties: {
                    provider: {
                      type: 'string',
                      minLength: 1,
                      maxLength: 63,
                      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                      example: 'team-a',
                      description: 'The name of a provider of the gateway.',
                    },
                    model: {
                      type: 'string',
                      minLength: 1,
                      maxLength: 256,
                      pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/@+-]*$',
                      example: 'gpt-5',
                      description: 'The name of the model at the provider. Without it, the name in the request stays.',
                    },
                    pricedAs: {
                      type: 'string',
                      minLength: 1,
                      maxLength: 256,
                      pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/@+-]*$',
                      example: 'gpt-5',
                      description:
                        'The name of the model in prices and usage, where the provider has another name for it, such as that of a deployment. Without it, the name at the provider.',
                    },
                    weight: {
                      type: 'integer',
                      format: 'int32',
                      minimum: 0,
                      maximum: 1000000,
                      default: 1,
                      description:
                        'The share of requests among the backends of one priority. A backend with the weight 0 receives no requests.',
                    },
                    priority: {
                      type: 'integer',
                      format: 'int32',
                      minimum: 0,
                      maximum: 15,
                      default: 0,
                      description:
                        'Backends with the lowest priority receive the requests. Those with the next priority receive them when all of these fail.',
                    },
                  },
                  additionalProperties: false,
                },
              },
              timeouts: {
                type: 'object',
                title: 'RouteTimeouts',
                description: 'The time limits of requests. Without a limit, the setting of the deployment applies.',
                properties: {
                  connectSeconds: {
                    type: 'integer',
                    format: 'int32',
                    minimum: 1,
                    maximum: 300,
                    description: 'The time to connect to the provider, in seconds.',
                  },
                  requestSeconds: {
                    type: 'integer',
                    format: 'int32',
                    minimum: 1,
                    maximum: 86400,
                    description: 'The time for the whole request, in seconds.',
                  },
                  streamIdleSeconds: {
                    type: 'integer',
                    format: 'int32',
                    minimum: 1,
                    maximum: 3600,
                    description: 'The time between two parts of a stream, in seconds.',
                  },
                },
                additionalProperties: false,
              },
            },
            additionalProperties: false,
          },
          limits: {
            type: 'object',
            title: 'GatewayLimits',
            description: 'The limits of requests. Without a limit, the setting of the deployment applies.',
            properties: {
              requestBytes: {
                type: 'integer',
                format: 'int64',
                minimum: 1024,
                maximum: 1073741824,
                description: 'The largest size of a request body, in bytes.',
              },
              concurrentRequests: {
                type: 'integer',
                format: 'int32',
                minimum: 1,
                maximum: 1000000,
                description: 'The largest number of requests that one replica serves at a time.',
              },
              concurrentRequestsPerPrincipal: {
                type: 'integer',
                format: 'int32',
                minimum: 1,
                maximum: 1000000,
                description:
                  'The largest number of requests of one user, with all keys together, that one replica serves at a time.',
              },
              requestsPerMinutePerPrincipal: {
                type: 'integer',
                format: 'int32',
                minimum: 1,
                maximum: 1000000,
                description:
                  'The largest number of requests of one user, with all keys together, that one replica serves in a minute.',
              },
              tokensPerMinutePerPrincipal: {
                type: 'integer',
                format: 'int64',
                minimum: 1,
                maximum: 1000000000000,
                description:
                  'The largest number of tokens of one user, with all keys together, of prompts and answers, that one replica serves in a minute.',
              },
            },
            additionalProperties: false,
          },
          guardrails: {
            type: 'object',
            title: 'Guardrails',
            description:
              'The examinations of prompts and answers. Without a field, its examination does not take place.',
            properties: {
              redaction: {
                type: 'object',
                title: 'RedactionRules',
                description: 'The passages that are replaced by [redacted].',
                required: ['patterns'],
                properties: {
                  patterns: {
                    type: 'array',
                    minItems: 1,
                    maxItems: 50,
                    'x-kubernetes-list-type': 'atomic',
                    description: 'Regular expressions of RE2. Their passages in prompts do not reach the provider.',
                    items: { type: 'string', minLength: 1, maxLength: 1000, example: 'AKIA[0-9A-Z]{16}' },
                  },
                  responses: {
                    type: 'boolean',
                    default: false,
                    description:
                      'Whether passages of answers are replaced too. An answer then arrives as a whole when it is complete, also if it is a stream.',
                  },
                },
                additionalProperties: false,
              },
              requestWebhook: {
                type: 'object',
                title: 'GuardrailWebhook',
                description:
                  'A service that examines prompts, after the redaction (requestWebhook), or answers (responseWebhook). With responseWebhook, an answer arrives as a whole, also if it is a stream. Calls are signed (Standard Webhooks) with the secret, if there is one.',
                required: ['url'],
                not: { required: ['secretRef', 'managedSecretId'] },
                properties: {
                  url: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 2048,
                    pattern:
                      '^https?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[A-Za-z0-9._~%!$&()*+,;=:@/?-]*)?$',
                    example: 'https://login.example.com/path',
                    description: 'The address of the service.',
                  },
                  timeoutSeconds: {
                    type: 'integer',
                    format: 'int32',
                    minimum: 1,
                    maximum: 30,
                    default: 5,
                    description: 'The time limit of one call, in seconds.',
                  },
                  failureMode: {
                    type: 'string',
                    enum: ['Closed', 'Open'],
                    default: 'Closed',
                    description:
                      'What happens when the service does not answer. Closed refuses the call. Open passes it on unexamined.',
                  },
                  secretRef: {
                    type: 'object',
                    title: 'SecretKeyRef',
                    description: 'A credential in a Secret of the same namespace.',
                    required: ['name', 'key'],
                    properties: {
                      name: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
                        example: 'team-a.example',
                        description: 'The name of the Secret.',
                      },
                      key: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                        pattern: '^[-._a-zA-Z0-9]+$',
                        example: 'api-key',
                        description: 'The key of the credential in the Secret.',
                      },
                    },
                    additionalProperties: false,
                  },
                  managedSecretId: {
                    type: 'string',
                    minLength: 36,
                    maxLength: 36,
                    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
                    example: '0197a3c2-2b9c-71d5-aff2-f15eb4bb768a',
                    description:
                      'The secret of the signatures, as the id of a managed secret of the enterprise manager.',
                  },
                },
                additionalProperties: false,
              },
              responseWebhook: {
                type: 'object',
                title: 'GuardrailWebhook',
                description:
                  'A service that examines prompts, after the redaction (requestWebhook), or answers (responseWebhook). With responseWebhook, an answer arrives as a whole, also if it is a stream. Calls are signed (Standard Webhooks) with the secret, if there is one.',
                required: ['url'],
                not: { required: ['secretRef', 'managedSecretId'] },
                properties: {
                  url: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 2048,
                    pattern:
                      '^https?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[A-Za-z0-9._~%!$&()*+,;=:@/?-]*)?$',
                    example: 'https://login.example.com/path',
                    description: 'The address of the service.',
                  },
                  timeoutSeconds: {
                    type: 'integer',
                    format: 'int32',
                    minimum: 1,
                    maximum: 30,
                    default: 5,
                    description: 'The time limit of one call, in seconds.',
                  },
                  failureMode: {
                    type: 'string',
                    enum: ['Closed', 'Open'],
                    default: 'Closed',
                    description:
                      'What happens when the service does not answer. Closed refuses the call. Open passes it on unexamined.',
                  },
                  secretRef: {
                    type: 'object',
                    title: 'SecretKeyRef',
                    description: 'A credential in a Secret of the same namespace.',
                    required: ['name', 'key'],
                    properties: {
                      name: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
                        example: 'team-a.example',
                        description: 'The name of the Secret.',
                      },
                      key: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                        pattern: '^[-._a-zA-Z0-9]+$',
                        example: 'api-key',
                        description: 'The key of the credential in the Secret.',
                      },
                    },
                    additionalProperties: false,
                  },
                  managedSecretId: {
                    type: 'string',
                    minLength: 36,
                    maxLength: 36,
                    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
                    example: '0197a3c2-2b9c-71d5-aff2-f15eb4bb768a',
                    description:
                      'The secret of the signatures, as the id of a managed secret of the enterprise manager.',
                  },
                },
                additionalProperties: false,
              },
              promptLogging: {
                type: 'object',
                title: 'PromptLogging',
                description: 'The logging of prompts.',
                required: ['enabled'],
                properties: {
                  enabled: {
                    type: 'boolean',
                    default: false,
                    description:
                      'Whether prompts are written to the log of the gateway, at most 32 KiB of each, after the redaction. Whoever reads the log then reads the prompts.',
                  },
                },
                additionalProperties: false,
              },
            },
            additionalProperties: false,
          },
          webhooks: {
            type: 'object',
            title: 'GatewayWebhooks',
            description: 'The services that the gateway calls for each request.',
            properties: {
              budgets: {
                type: 'object',
                title: 'BudgetWebhook',
                description: 'The service that admits requests against the budgets of users.',
                required: ['url'],
                properties: {
                  url: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 2048,
                    pattern:
                      '^https?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[A-Za-z0-9._~%!$&()*+,;=:@/?-]*)?$',
                    example: 'https://login.example.com/path',
                    description: 'The address of the service.',
                  },
                  timeoutSeconds: {
                    type: 'integer',
                    format: 'int32',
                    minimum: 1,
                    maximum: 30,
                    default: 5,
                    description: 'The time limit of one call, in seconds.',
                  },
                  failureMode: {
                    type: 'string',
                    enum: ['Closed', 'Open'],
                    default: 'Closed',
                    description:
                      'What happens when the service does not answer. Closed refuses requests. Open forwards them without admission.',
                  },
                },
                additionalProperties: false,
              },
            },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
      status: {
        type: 'object',
        title: 'AIGatewayStatus',
        description: 'The result of the last examination of the gateway.',
        properties: {
          observedGeneration: {
            type: 'integer',
            format: 'int64',
            minimum: 0,
            maximum: 9007199254740991,
            description: 'The metadata.generation of the gateway that was examined.',
          },
          conditions: {
            type: 'array',
            maxItems: 8,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
            description:
              'The conditions of the gateway. Accepted says whether the gateway can use this resource. ResolvedRefs says whether each backend names a provider of the gateway.',
            items: {
              type: 'object',
              title: 'Condition',
              description: 'One observation about the resource, with the fields of a Kubernetes condition.',
              required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
              properties: {
                type: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 316,
                  pattern: '^[A-Za-z0-9]([A-Za-z0-9_./-]*[A-Za-z0-9])?$',
                  description: 'The type of the condition, in CamelCase.',
                },
                status: {
                  type: 'string',
                  enum: ['True', 'False', 'Unknown'],
                  description: 'Whether the condition holds.',
                },
                reason: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
                  description: 'The reason for the status, for programs, in CamelCase.',
                },
                message: { type: 'string', maxLength: 32768, description: 'The reason for the status, for people.' },
                lastTransitionTime: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 40,
                  pattern:
                    '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$',
                  example: '2026-01-31T12:00:00Z',
                  description: 'The time at which the status last changed (RFC 3339).',
                },
                observedGeneration: {
                  type: 'integer',
                  format: 'int64',
                  minimum: 0,
                  maximum: 9007199254740991,
                  description: 'The metadata.generation to which the condition applies.',
                },
              },
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
  AIPolicy: {
    type: 'object',
    description: 'A policy of an AI gateway. It grants models to the principals that it matches.',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: 'The version of this schema, gatehouse.dev/v1alpha1.' },
      kind: { type: 'string', description: 'The kind of this resource, AIPolicy.' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        title: 'AIPolicySpec',
        description: 'The models that the policy grants, and the matchers of its principals.',
        required: ['gatewayRef', 'principalMatchers'],
        properties: {
          gatewayRef: {
            type: 'object',
            title: 'GatewayRef',
            description: 'The AIGateway of the same namespace to which the policy belongs. It cannot be changed.',
            required: ['name'],
            properties: {
              name: {
                type: 'string',
                minLength: 1,
                maxLength: 253,
                pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
                example: 'team-a.example',
                description: 'The name of the AIGateway.',
              },
            },
            additionalProperties: false,
          },
          description: { type: 'string', maxLength: 2048, description: 'A description for administrators.' },
          principalMatchers: {
            type: 'array',
            minItems: 1,
            maxItems: 32,
            'x-kubernetes-list-type': 'atomic',
            description: 'The policy applies to a principal that one of these matchers matches.',
            items: {
              type: 'object',
              title: 'PrincipalMatcher',
              description: 'Matches a principal whose token has all of these claims.',
              required: ['claims'],
              properties: {
                claims: {
                  type: 'object',
                  minProperties: 1,
                  maxProperties: 16,
                  description:
                    'The required value of each claim, by the name of the claim or its dotted path, such as realm_access.roles. A claim matches when its value is exactly this text, a list that contains it, or a boolean or an integer whose JSON is this text.',
                  additionalProperties: { type: 'string', minLength: 1, maxLength: 1024 },
                },
              },
              additionalProperties: false,
            },
          },
          mcpPolicy: {
            type: 'object',
            title: 'McpPolicy',
            description: 'The MCP servers of the policy. This version stores the field and does not enforce it.',
            properties: {
              servers: {
                type: 'array',
                maxItems: 64,
                'x-kubernetes-list-type': 'set',
                description: 'The names of MCP servers.',
                items: { type: 'string', minLength: 1, maxLength: 253 },
                uniqueItems: true,
              },
            },
            additionalProperties: false,
          },
          budgets: {
            type: 'array',
            maxItems: 32,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            description:
              'The models that the policy grants, in named groups. Limits in money are budgets of the enterprise manager.',
            items: {
              type: 'object',
              title: 'PolicyBudget',
              description: 'A named group of granted models.',
              required: ['name', 'models'],
              properties: {
                name: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 253,
                  example: 'Models of team A',
                  description: 'The name of the group, unique in the policy.',
                },
                models: {
                  type: 'array',
                  maxItems: 256,
                  'x-kubernetes-list-type': 'set',
                  description: 'The names of the models. The name * grants all models of the gateway.',
                  items: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 256,
                    pattern: '^(\\*|[A-Za-z0-9][A-Za-z0-9_.:/@+-]*)$',
                    example: 'gpt-5',
                  },
                  uniqueItems: true,
                },
              },
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
      status: {
        type: 'object',
        title: 'AIPolicyStatus',
        description: 'The result of the last examination of the policy.',
        properties: {
          observedGeneration: {
            type: 'integer',
            format: 'int64',
            minimum: 0,
            maximum: 9007199254740991,
            description: 'The metadata.generation of the policy that was examined.',
          },
          appliedToSecurityPolicy: {
            type: 'string',
            maxLength: 253,
            description: 'The name of the security policy that carries the matchers. It is empty without one.',
          },
          conditions: {
            type: 'array',
            maxItems: 8,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
            description:
              'The conditions of the policy. Accepted says whether its gateway exists. ResolvedRefs says whether the gateway has a route for each granted model.',
            items: {
              type: 'object',
              title: 'Condition',
              description: 'One observation about the resource, with the fields of a Kubernetes condition.',
              required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
              properties: {
                type: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 316,
                  pattern: '^[A-Za-z0-9]([A-Za-z0-9_./-]*[A-Za-z0-9])?$',
                  description: 'The type of the condition, in CamelCase.',
                },
                status: {
                  type: 'string',
                  enum: ['True', 'False', 'Unknown'],
                  description: 'Whether the condition holds.',
                },
                reason: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
                  description: 'The reason for the status, for programs, in CamelCase.',
                },
                message: { type: 'string', maxLength: 32768, description: 'The reason for the status, for people.' },
                lastTransitionTime: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 40,
                  pattern:
                    '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$',
                  example: '2026-01-31T12:00:00Z',
                  description: 'The time at which the status last changed (RFC 3339).',
                },
                observedGeneration: {
                  type: 'integer',
                  format: 'int64',
                  minimum: 0,
                  maximum: 9007199254740991,
                  description: 'The metadata.generation to which the condition applies.',
                },
              },
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
};

/** JSON pointers of the fields that keep their first value. */
export const IMMUTABLE_FIELDS: Readonly<Record<'AIGateway' | 'AIPolicy', readonly string[]>> = {
  AIGateway: [],
  AIPolicy: ['/spec/gatewayRef'],
};
