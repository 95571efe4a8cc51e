import { z } from 'zod';
import { MAX_PAGE } from '../protocol/discovery.ts';
import { MAX_OPERATIONS } from '../protocol/patch-operations.ts';

/** Default number of resources on a page. */
const DEFAULT_COUNT = 100;

const MAX_TEXT = 100_000;
/** Maximum number of attribute names in a search. */
const MAX_NAMES = 1_000;

/** Path parameters of the operations on an issuer's endpoint. */
export const IssuerPath = z.object({ issuer_id: z.string().describe('`id` of a configured issuer') });
export type IssuerPath = z.infer<typeof IssuerPath>;

/** Path parameters of a resource. `id` is undefined for a text that is not a UUID. */
export const ResourcePath = IssuerPath.extend({
  id: z.string().transform((given) => (UUID.test(given) ? given.toLowerCase() : undefined)),
});
export type ResourcePath = z.infer<typeof ResourcePath>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Path parameters of a document that describes the endpoint. */
export const DocumentPath = IssuerPath.extend({ id: z.string() });
export type DocumentPath = z.infer<typeof DocumentPath>;

const wholeNumber = () => z.string().regex(/^-?\d{1,9}$/, 'must be a whole number');
const limitStartIndex = (index: number) => Math.max(1, index);
const limitCount = (count: number) => Math.min(Math.max(0, count), MAX_PAGE);
const text = () => z.string().max(MAX_TEXT);
const ORDERS = ['ascending', 'descending'] as const;
const sortOrder = () =>
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(ORDERS))
    .optional()
    .meta({ description: 'Case-insensitive', override: { type: 'string', enum: ORDERS } });

const projection = {
  attributes: text().optional().describe('The attributes to return, separated by commas (RFC 7644 §3.9)'),
  excludedAttributes: text()
    .optional()
    .describe('The attributes to omit, separated by commas; not together with `attributes`'),
};

/**
 * Query parameters that select the attributes of a response. Unknown parameters are ignored,
 * because SCIM clients add their own.
 */
export const ProjectionQuery = z.object(projection);
export type ProjectionQuery = z.infer<typeof ProjectionQuery>;

/** Query parameters of the documents that describe the endpoint: they cannot be filtered. */
export const DiscoveryQuery = z.object({ filter: text().optional().describe('A filter is 403') });
export type DiscoveryQuery = z.infer<typeof DiscoveryQuery>;

/** Query parameters of a list (RFC 7644 §3.4.2). */
export const ListQuery = z.object({
  filter: text().optional().describe('For example `userName eq "alice"`'),
  sortBy: text().optional(),
  sortOrder: sortOrder(),
  startIndex: wholeNumber()
    .transform((digits) => limitStartIndex(Number(digits)))
    .default(1)
    .meta({ description: 'Number of the first resource, from 1', override: { type: 'integer', default: 1 } }),
  count: wholeNumber()
    .transform((digits) => limitCount(Number(digits)))
    .default(DEFAULT_COUNT)
    .meta({
      description: `Maximum number of resources on the page. More than ${MAX_PAGE} is taken as ${MAX_PAGE}; 0 returns the total only`,
      override: { type: 'integer', default: DEFAULT_COUNT },
    }),
  ...projection,
});
export type ListQuery = z.infer<typeof ListQuery>;

const names = () =>
  z
    .union([
      text(),
      z
        .array(text())
        .max(MAX_NAMES)
        .transform((list) => list.join(','))
        .pipe(text()),
    ])
    .optional();
const integer = () => z.int().min(-999_999_999).max(999_999_999);

/** Body of a search (RFC 7644 §3.4.3): the parameters of a list, which URLs then do not show. */
export const SearchRequest = z
  .looseObject({
    filter: text().optional(),
    sortBy: text().optional(),
    sortOrder: sortOrder(),
    startIndex: integer().transform(limitStartIndex).default(1),
    count: integer().transform(limitCount).default(DEFAULT_COUNT),
    attributes: names(),
    excludedAttributes: names(),
  })
  .meta({ id: 'ScimSearchRequest', description: 'A search. `schemas` contains the URN of the SearchRequest message' });
export type SearchRequest = z.infer<typeof SearchRequest>;

const schemas = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  description: 'URNs of the schemas of the body; they must contain the URN of the core schema or message',
};

/**
 * A body that the protocol core validates, because clients send it in many spellings. `properties`
 * and `required` document the canonical form: the core refuses a body without a required member.
 */
const documentedBody = (id: string, description: string, required: string[], properties: object) =>
  z
    .record(z.string(), z.unknown())
    .meta({ id, description, override: { type: 'object', properties, required, additionalProperties: true } });

/** Body of POST and PUT of a user. */
export const ScimUserBody = documentedBody(
  'ScimUserInput',
  'A user (RFC 7643 §4.1). Unknown attributes are ignored.',
  ['schemas', 'userName'],
  {
    schemas,
    userName: { type: 'string' },
    externalId: { type: 'string' },
    displayName: { type: 'string' },
    active: { type: 'boolean' },
    name: { type: 'object' },
    emails: { type: 'array', items: { type: 'object' } },
  },
);
export type ScimUserBody = z.infer<typeof ScimUserBody>;

/** Body of POST and PUT of a group. */
export const ScimGroupBody = documentedBody(
  'ScimGroupInput',
  'A group (RFC 7643 §4.2). Members that the directory does not have are left out.',
  ['schemas', 'displayName'],
  {
    schemas,
    displayName: { type: 'string' },
    externalId: { type: 'string' },
    members: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          value: { type: 'string', description: 'Id of a user or group' },
          type: { type: 'string', enum: ['User', 'Group'] },
        },
        required: ['value'],
        additionalProperties: true,
      },
    },
  },
);
export type ScimGroupBody = z.infer<typeof ScimGroupBody>;

/** Body of a PATCH. */
export const ScimPatchBody = documentedBody(
  'ScimPatch',
  'Changes (RFC 7644 §3.5.2), also in the older forms that large identity providers send',
  ['schemas', 'Operations'],
  {
    schemas,
    Operations: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_OPERATIONS,
      description: 'The changes in order. An `add` or `replace` must have a `value`, of any type',
      items: {
        type: 'object',
        properties: {
          op: { type: 'string', description: '`add`, `remove` or `replace`, case-insensitive' },
          path: { type: 'string', description: 'The attribute to change. A `remove` must have a path' },
        },
        required: ['op'],
        additionalProperties: true,
      },
    },
  },
);
export type ScimPatchBody = z.infer<typeof ScimPatchBody>;

/** A resource in a response. `attributes` and `excludedAttributes` select its attributes. */
export const ScimResource = z
  .looseObject({ schemas: z.array(z.string()) })
  .meta({ id: 'ScimResource', description: 'A SCIM resource (RFC 7643 §3)' });

/** A page of resources. */
export const ScimList = z
  .object({
    schemas: z.array(z.string()),
    totalResults: z.int().min(0),
    startIndex: z.int().min(1),
    itemsPerPage: z.int().min(0),
    Resources: z.array(ScimResource),
  })
  .meta({ id: 'ScimList', description: 'A page of SCIM resources (RFC 7644 §3.4.2)' });
