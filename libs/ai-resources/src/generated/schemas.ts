// Generated from deploy/crds by `npm run contracts`. Do not edit.

import type { StructuralSchema } from '../structural-schema.ts';

/** The schema of each kind. It refuses unknown fields. `metadata` has its rules elsewhere. */
export const SCHEMAS: Readonly<Record<'AIGateway' | 'AIPolicy', StructuralSchema>> = {
  AIGateway: {
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        required: ['auth'],
        properties: {
          listeners: {
            type: 'array',
            minItems: 1,
            maxItems: 8,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              required: ['name', 'port'],
              properties: {
                name: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 63,
                  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                  example: 'team-a',
                },
                port: { type: 'integer', format: 'int32', minimum: 1, maximum: 65535 },
                hostname: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 253,
                  pattern: '^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
                  example: 'ai.example.com',
                },
              },
              additionalProperties: false,
            },
          },
          auth: {
            type: 'object',
            required: ['oidc'],
            properties: {
              oidc: {
                type: 'object',
                required: ['issuer', 'audience'],
                properties: {
                  issuer: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 2048,
                    pattern:
                      '^https?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[A-Za-z0-9._~%!$&()*+,;=:@/?-]*)?$',
                    example: 'https://login.example.com/path',
                  },
                  audience: { type: 'string', minLength: 1, maxLength: 1024 },
                  jwksUri: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 2048,
                    pattern:
                      '^https?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[A-Za-z0-9._~%!$&()*+,;=:@/?-]*)?$',
                    example: 'https://login.example.com/path',
                  },
                },
                additionalProperties: false,
              },
              authz: {
                type: 'object',
                properties: {
                  roles: {
                    type: 'object',
                    maxProperties: 32,
                    additionalProperties: {
                      type: 'array',
                      minItems: 1,
                      maxItems: 32,
                      'x-kubernetes-list-type': 'atomic',
                      items: {
                        type: 'object',
                        required: ['claims'],
                        properties: {
                          claims: {
                            type: 'object',
                            minProperties: 1,
                            maxProperties: 16,
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
            default: {},
            properties: { enabled: { type: 'boolean', default: true } },
            additionalProperties: false,
          },
          providers: {
            type: 'array',
            maxItems: 64,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              required: ['name', 'kind', 'endpoint'],
              properties: {
                name: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 63,
                  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                  example: 'team-a',
                },
                kind: { type: 'string', enum: ['openai', 'anthropic', 'google'] },
                endpoint: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 2048,
                  pattern: '^https?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?$',
                  example: 'https://api.openai.com',
                },
                pathPrefix: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^(/[A-Za-z0-9._~%!$&()*+,;=:@-]+)+$',
                  example: '/openai/v1',
                },
                secretRef: {
                  type: 'object',
                  required: ['name', 'key'],
                  properties: {
                    name: {
                      type: 'string',
                      minLength: 1,
                      maxLength: 253,
                      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
                      example: 'team-a.example',
                    },
                    key: {
                      type: 'string',
                      minLength: 1,
                      maxLength: 253,
                      pattern: '^[-._a-zA-Z0-9]+$',
                      example: 'api-key',
                    },
                  },
                  additionalProperties: false,
                },
              },
              additionalProperties: false,
            },
          },
          routes: {
            type: 'array',
            maxItems: 1000,
            'x-kubernetes-list-type': 'atomic',
            items: {
              type: 'object',
              required: ['match', 'backends'],
              properties: {
                name: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 63,
                  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                  example: 'team-a',
                },
                match: {
                  type: 'object',
                  required: ['model'],
                  properties: {
                    model: {
                      type: 'string',
                      minLength: 1,
                      maxLength: 256,
                      pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/@+-]*$',
                      example: 'gpt-5',
                    },
                  },
                  additionalProperties: false,
                },
                displayName: { type: 'string', minLength: 1, maxLength: 256 },
                contextWindow: { type: 'integer', format: 'int64', minimum: 1, maximum: 1000000000 },
                backends: {
                  type: 'array',
                  minItems: 1,
                  maxItems: 16,
                  'x-kubernetes-list-type': 'atomic',
                  items: {
                    type: 'object',
                    required: ['provider'],
                    properties: {
                      provider: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 63,
                        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                        example: 'team-a',
                      },
                      model: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 256,
                        pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/@+-]*$',
                        example: 'gpt-5',
                      },
                      weight: { type: 'integer', format: 'int32', minimum: 0, maximum: 1000000, default: 1 },
                      priority: { type: 'integer', format: 'int32', minimum: 0, maximum: 15, default: 0 },
                    },
                    additionalProperties: false,
                  },
                },
                timeouts: {
                  type: 'object',
                  properties: {
                    connectSeconds: { type: 'integer', format: 'int32', minimum: 1, maximum: 300 },
                    requestSeconds: { type: 'integer', format: 'int32', minimum: 1, maximum: 86400 },
                    streamIdleSeconds: { type: 'integer', format: 'int32', minimum: 1, maximum: 3600 },
                  },
                  additionalProperties: false,
                },
              },
              additionalProperties: false,
            },
          },
          defaultRoute: {
            type: 'object',
            required: ['backends'],
            properties: {
              backends: {
                type: 'array',
                minItems: 1,
                maxItems: 16,
                'x-kubernetes-list-type': 'atomic',
                items: {
                  type: 'object',
                  required: ['provider'],
                  properties: {
                    provider: {
                      type: 'string',
                      minLength: 1,
                      maxLength: 63,
                      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                      example: 'team-a',
                    },
                    model: {
                      type: 'string',
                      minLength: 1,
                      maxLength: 256,
                      pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/@+-]*$',
                      example: 'gpt-5',
                    },
                    weight: { type: 'integer', format: 'int32', minimum: 0, maximum: 1000000, default: 1 },
                    priority: { type: 'integer', format: 'int32', minimum: 0, maximum: 15, default: 0 },
                  },
                  additionalProperties: false,
                },
              },
              timeouts: {
                type: 'object',
                properties: {
                  connectSeconds: { type: 'integer', format: 'int32', minimum: 1, maximum: 300 },
                  requestSeconds: { type: 'integer', format: 'int32', minimum: 1, maximum: 86400 },
                  streamIdleSeconds: { type: 'integer', format: 'int32', minimum: 1, maximum: 3600 },
                },
                additionalProperties: false,
              },
            },
            additionalProperties: false,
          },
          limits: {
            type: 'object',
            properties: {
              requestBytes: { type: 'integer', format: 'int64', minimum: 1024, maximum: 1073741824 },
              concurrentRequests: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000000 },
              concurrentRequestsPerPrincipal: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000000 },
            },
            additionalProperties: false,
          },
          webhooks: {
            type: 'object',
            properties: {
              budgets: {
                type: 'object',
                required: ['url'],
                properties: {
                  url: {
                    type: 'string',
                    minLength: 1,
                    maxLength: 2048,
                    pattern:
                      '^https?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[A-Za-z0-9._~%!$&()*+,;=:@/?-]*)?$',
                    example: 'https://login.example.com/path',
                  },
                  timeoutSeconds: { type: 'integer', format: 'int32', minimum: 1, maximum: 30, default: 5 },
                  failureMode: { type: 'string', enum: ['Closed', 'Open'], default: 'Closed' },
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
        properties: {
          observedGeneration: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
          conditions: {
            type: 'array',
            maxItems: 8,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
            items: {
              type: 'object',
              required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
              properties: {
                type: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 316,
                  pattern: '^[A-Za-z0-9]([A-Za-z0-9_./-]*[A-Za-z0-9])?$',
                },
                status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
                reason: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
                },
                message: { type: 'string', maxLength: 32768 },
                lastTransitionTime: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 40,
                  pattern:
                    '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$',
                  example: '2026-01-31T12:00:00Z',
                },
                observedGeneration: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
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
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        required: ['gatewayRef', 'principalMatchers'],
        properties: {
          gatewayRef: {
            type: 'object',
            required: ['name'],
            properties: {
              name: {
                type: 'string',
                minLength: 1,
                maxLength: 253,
                pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
                example: 'team-a.example',
              },
            },
            additionalProperties: false,
          },
          description: { type: 'string', maxLength: 2048 },
          principalMatchers: {
            type: 'array',
            minItems: 1,
            maxItems: 32,
            'x-kubernetes-list-type': 'atomic',
            items: {
              type: 'object',
              required: ['claims'],
              properties: {
                claims: {
                  type: 'object',
                  minProperties: 1,
                  maxProperties: 16,
                  additionalProperties: { type: 'string', minLength: 1, maxLength: 1024 },
                },
              },
              additionalProperties: false,
            },
          },
          mcpPolicy: {
            type: 'object',
            properties: {
              servers: {
                type: 'array',
                maxItems: 64,
                'x-kubernetes-list-type': 'set',
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
            items: {
              type: 'object',
              required: ['name', 'models'],
              properties: {
                name: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 63,
                  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                  example: 'team-a',
                },
                models: {
                  type: 'array',
                  maxItems: 1000,
                  'x-kubernetes-list-type': 'set',
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
        properties: {
          observedGeneration: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
          appliedToSecurityPolicy: { type: 'string', maxLength: 253 },
          conditions: {
            type: 'array',
            maxItems: 8,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
            items: {
              type: 'object',
              required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
              properties: {
                type: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 316,
                  pattern: '^[A-Za-z0-9]([A-Za-z0-9_./-]*[A-Za-z0-9])?$',
                },
                status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
                reason: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
                },
                message: { type: 'string', maxLength: 32768 },
                lastTransitionTime: {
                  type: 'string',
                  minLength: 1,
                  maxLength: 40,
                  pattern:
                    '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$',
                  example: '2026-01-31T12:00:00Z',
                },
                observedGeneration: { type: 'integer', format: 'int64', minimum: 0, maximum: 9007199254740991 },
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
