import { z } from 'zod';
import { MAX_PAGE } from '../protocol/discovery.ts';

/** Resources on a page where the request does not say. */
const DEFAULT_COUNT = 100;

const MAX_TEXT = 100_000;
/** Most names of attributes in one search. */
const MAX_NAMES = 1_000;

/** The issuer whose people and groups a route is about. */
export const IssuerPath = z.object({ issuer_id: z.string().describe('`id` of a configured issuer') });
export type IssuerPath = z.infer<typeof IssuerPath>;

/** One resource of an issuer. What no id can be is the id of nothing. */
export const ResourcePath = IssuerPath.extend({
  id: z.string().transform((given) => (UUID.test(given) ? given.toLowerCase() : undefined)),
});
export type ResourcePath = z.infer<typeof ResourcePath>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One of the documents that describe the endpoint. */
export const DocumentPath = IssuerPath.extend({ id: z.string() });
export type DocumentPath = z.infer<typeof DocumentPath>;

const wholeNumber = () => z.string().regex(/^-?\d{1,9}$/, 'must be a whole number');
const startIndexOf = (index: number) => Math.max(1, index);
const countOf = (count: number) => Math.min(Math.max(0, count), MAX_PAGE);
const text = () => z.string().max(MAX_TEXT);
const ORDERS = ['ascending', 'descending'] as const;
const sortOrder = () =>
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(ORDERS))
    .optional()
    .meta({ description: 'Whatever its case', override: { type: 'string', enum: ORDERS } });

const projection = {
  attributes: text().optional().describe('Only these attributes, by commas (RFC 7644 §3.9)'),
  excludedAttributes: text().optional().describe('Not these attributes; not together with `attributes`'),
};

/**
 * What an answer shall carry. Parameters that are not known are ignored, as SCIM clients add their
 * own.
 */
export const ProjectionQuery = z.object(projection);
export type ProjectionQuery = z.infer<typeof ProjectionQuery>;

/**
 * What the documents that describe the endpoint are asked with: they can be neither filtered nor
 * paged.
 */
export const DiscoveryQuery = z.object({ filter: text().optional().describe('Refused with 403') });
export type DiscoveryQuery = z.infer<typeof DiscoveryQuery>;

/** What a list takes (RFC 7644 §3.4.2). */
export const ListQuery = z.object({
  filter: text().optional().describe('For example `userName eq "alice"`'),
  sortBy: text().optional(),
  sortOrder: sortOrder(),
  startIndex: wholeNumber()
    .transform((digits) => startIndexOf(Number(digits)))
    .default(1)
    .meta({ description: 'First resource, from 1', override: { type: 'integer', default: 1 } }),
  count: wholeNumber()
    .transform((digits) => countOf(Number(digits)))
    .default(DEFAULT_COUNT)
    .meta({
      description: `Resources on the page; more than ${MAX_PAGE} count as ${MAX_PAGE}, 0 asks for the total alone`,
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

/** Body of a search: a list whose parameters no log of URLs shows (RFC 7644 §3.4.3). */
export const SearchRequest = z
  .looseObject({
    filter: text().optional(),
    sortBy: text().optional(),
    sortOrder: sortOrder(),
    startIndex: integer().transform(startIndexOf).default(1),
    count: integer().transform(countOf).default(DEFAULT_COUNT),
    attributes: names(),
    excludedAttributes: names(),
  })
  .meta({ id: 'ScimSearchRequest', description: 'A search; `schemas` names the SearchRequest message' });
export type SearchRequest = z.infer<typeof SearchRequest>;

const schemas = { type: 'array', items: { type: 'string' }, description: 'Names the schema of the body' };

const documented = (id: string, description: string, properties: object, required: string[] = []) =>
  z
    .record(z.string(), z.unknown())
    .meta({ id, description, override: { type: 'object', properties, required, additionalProperties: true } });

/**
 * A person as clients send them. The protocol core judges it: field by field, in the spellings that
 * clients really use.
 */
export const ScimUserBody = documented(
  'ScimUserInput',
  'A user (RFC 7643 §4.1). Attributes that are not known are ignored.',
  {
    schemas,
    userName: { type: 'string' },
    externalId: { type: 'string' },
    displayName: { type: 'string' },
    active: { type: 'boolean' },
    name: { type: 'object' },
    emails: { type: 'array', items: { type: 'object' } },
  },
  ['schemas', 'userName'],
);
export type ScimUserBody = z.infer<typeof ScimUserBody>;

/** A group as clients send it. */
export const ScimGroupBody = documented(
  'ScimGroupInput',
  'A group (RFC 7643 §4.2). Members that the directory does not know are left out.',
  {
    schemas,
    displayName: { type: 'string' },
    externalId: { type: 'string' },
    members: { type: 'array', items: { type: 'object' } },
  },
  ['schemas', 'displayName'],
);
export type ScimGroupBody = z.infer<typeof ScimGroupBody>;

/** A PATCH as clients send it. */
export const ScimPatchBody = documented(
  'ScimPatch',
  'Changes (RFC 7644 §3.5.2), also in the older shapes that large identity providers send',
  { schemas, Operations: { type: 'array', items: { type: 'object' } } },
  ['schemas', 'Operations'],
);
export type ScimPatchBody = z.infer<typeof ScimPatchBody>;

/**
 * A resource in an answer. With `attributes` or `excludedAttributes` it holds what was asked for.
 */
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
