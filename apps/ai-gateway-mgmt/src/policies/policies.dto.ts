import { API_VERSION } from '@gatehouse/ai-resources/resource';
import { SCHEMAS } from '@gatehouse/ai-resources/schemas';
import { optionalText } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { convertObject, getMember } from './crd-schemas.ts';

const LARGEST_PAGE = 500;
const MAX_SELECTOR_LENGTH = 4_096;
const MAX_TOKEN_LENGTH = 2_048;
const MAX_NAME_LENGTH = 253;

/** The metadata of a resource that this service accepts and returns. */
const ObjectMeta = z
  .object({
    name: z
      .string()
      .max(MAX_NAME_LENGTH)
      .optional()
      .meta({ description: 'DNS-1123 subdomain, unique in the namespace', examples: ['everyone'] }),
    namespace: z
      .string()
      .optional()
      .meta({ description: 'The namespace of this instance; ignored in a request', examples: ['default'] }),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
    resourceVersion: z
      .string()
      .optional()
      .meta({ description: 'Changes with each write; the ETag contains it in double quotes', examples: ['1042'] }),
    uid: z.string().optional(),
    generation: z.int().optional().describe('Counts the changes of `spec`'),
    creationTimestamp: z.string().optional(),
    deletionTimestamp: z.string().optional(),
    deletionGracePeriodSeconds: z.int().optional(),
  })
  .meta({ id: 'ObjectMeta', description: 'Metadata of a resource, with the meaning that Kubernetes gives it' });

/** The OpenAPI schema of `spec` of a policy. */
export const AIPolicySpec = convertObject(getMember(SCHEMAS.AIPolicy, 'spec'));
/** The OpenAPI schema of `status` of a policy. Its conditions are also those of a gateway. */
export const AIPolicyStatus = convertObject(getMember(SCHEMAS.AIPolicy, 'status'));

/** The OpenAPI schema of a policy. The CRD in deploy/crds is the source of `spec` and `status`. */
export const AIPolicy = z
  .object({
    apiVersion: z.literal(API_VERSION).optional(),
    kind: z.literal('AIPolicy').optional(),
    metadata: ObjectMeta.optional(),
    spec: AIPolicySpec,
    status: AIPolicyStatus.optional(),
  })
  .meta({ id: 'AIPolicy', description: 'A policy that grants models of an AI gateway to principals' });

/** The OpenAPI schema of a patch of a policy. */
export const AIPolicyPatch = z
  .object({
    spec: AIPolicySpec.pick({ description: true, principalMatchers: true, mcpPolicy: true })
      .partial()
      .meta({ id: 'AIPolicySpecPatch', description: 'The fields of a policy that can be patched' })
      .optional(),
  })
  .meta({ id: 'AIPolicyPatch', description: 'A JSON merge patch (RFC 7396) of a policy' });

/** One page of policies. */
export const AIPolicyList = z
  .object({
    apiVersion: z.literal(API_VERSION),
    kind: z.literal('AIPolicyList'),
    items: z.array(AIPolicy),
    nextPageToken: z.string().optional().describe('`pageToken` of the next page; absent on the last one'),
    remainingItemCount: z
      .int()
      .optional()
      .describe('Number of policies after this page; absent on the last page and with a labelSelector'),
  })
  .meta({ id: 'AIPolicyList', description: 'One page of the policies of the namespace, sorted by name' });

/** The query parameters of the list. A present but empty parameter counts as absent. */
export const PolicyListQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d*$/, 'must be a whole number of at least 0')
    .transform((text) => Math.min(Number(text) || LARGEST_PAGE, LARGEST_PAGE))
    .default(LARGEST_PAGE)
    .meta({
      description: 'Largest number of policies of the page; 0 means the default, and a larger value the maximum',
      override: { type: 'integer', maximum: LARGEST_PAGE, default: LARGEST_PAGE },
    }),
  pageToken: optionalText(
    z.string().max(MAX_TOKEN_LENGTH),
    '`nextPageToken` of the page before; empty for the first page',
    MAX_TOKEN_LENGTH,
  ),
  labelSelector: optionalText(
    z.string().max(MAX_SELECTOR_LENGTH),
    'Label selector in the syntax of Kubernetes, such as `team=support,tier in (a,b)`',
    MAX_SELECTOR_LENGTH,
  ),
  gatewayRef: optionalText(
    z.string().max(MAX_NAME_LENGTH),
    'Only policies of the gateway with this name',
    MAX_NAME_LENGTH,
  ),
});
export type PolicyListQuery = z.output<typeof PolicyListQuery>;

/** The path of a policy. A name that no policy can have is not found. */
export const PolicyPath = z.strictObject({
  name: z
    .string()
    .min(1)
    .meta({ examples: ['everyone'] }),
});
export type PolicyPath = z.output<typeof PolicyPath>;
