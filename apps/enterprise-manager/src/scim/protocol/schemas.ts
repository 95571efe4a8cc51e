import type { Attribute, JsonObject, ResourceType } from './types.ts';

/** URN of the core user schema (RFC 7643 §4.1). */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
/** URN of the group schema (RFC 7643 §4.2). */
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
/** URN of the enterprise extension of users (RFC 7643 §4.3). */
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** A schema: its URN, name and attributes (RFC 7643 §7). */
export interface Schema {
  id: string;
  name: string;
  description: string;
  attributes: readonly Attribute[];
}

type Traits = Partial<Omit<Attribute, 'name' | 'description'>>;

const createAttribute = (name: string, description: string, traits: Traits = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
  ...traits,
});

/** A case-insensitive text. */
const createText = (name: string, description: string, traits: Traits = {}): Attribute =>
  createAttribute(name, description, { caseExact: false, uniqueness: 'none', ...traits });

const createUri = (name: string, description: string, traits: Traits = {}): Attribute =>
  createAttribute(name, description, {
    type: 'reference',
    caseExact: true,
    uniqueness: 'none',
    referenceTypes: ['external'],
    ...traits,
  });

const createComplex = (name: string, description: string, subAttributes: Attribute[], traits: Traits = {}): Attribute =>
  createAttribute(name, description, { type: 'complex', subAttributes, ...traits });

/** A multi-valued attribute with `type`, `primary` and `display` (RFC 7643 §2.4). */
const list = (name: string, description: string, value: Attribute, canonicalTypes?: string[]): Attribute =>
  createComplex(
    name,
    description,
    [
      value,
      createText('display', 'Display text of the value.'),
      createText('type', 'Purpose of the value.', canonicalTypes ? { canonicalValues: canonicalTypes } : {}),
      createAttribute('primary', 'Whether this is the preferred value; true for at most one.', { type: 'boolean' }),
    ],
    { multiValued: true },
  );

const USER_ATTRIBUTES: readonly Attribute[] = [
  createText('userName', 'Name of the account; unique within the issuer, regardless of case.', {
    required: true,
    uniqueness: 'server',
  }),
  createComplex('name', "Parts of the user's name.", [
    createText('formatted', 'The whole name for display.'),
    createText('familyName', 'Family name.'),
    createText('givenName', 'Given name.'),
    createText('middleName', 'Middle names.'),
    createText('honorificPrefix', 'Title before the name.'),
    createText('honorificSuffix', 'Suffix after the name.'),
  ]),
  createText('displayName', 'Name for display.'),
  createText('nickName', 'Casual name of the user.'),
  createUri('profileUrl', "Page with the user's profile."),
  createText('title', 'Job title.'),
  createText('userType', 'Relationship of the user to the organization.'),
  createText('preferredLanguage', 'Preferred languages, as in Accept-Language.'),
  createText('locale', 'Location of the user, for the format of numbers and dates.'),
  createText('timezone', 'Time zone, by its name in the IANA database.'),
  createAttribute('active', 'Whether the user has any access.', { type: 'boolean' }),
  list('emails', 'E-mail addresses.', createText('value', 'The address.'), ['work', 'home', 'other']),
  list('phoneNumbers', 'Telephone numbers.', createText('value', 'The number.'), [
    'work',
    'home',
    'mobile',
    'fax',
    'pager',
    'other',
  ]),
  list('ims', 'Addresses for instant messages.', createText('value', 'The address.'), [
    'aim',
    'gtalk',
    'icq',
    'xmpp',
    'msn',
  ]),
  list('photos', 'Pictures of the user.', createUri('value', 'URL of the picture.'), ['photo', 'thumbnail']),
  createComplex(
    'addresses',
    'Postal addresses.',
    [
      createText('formatted', 'The whole address; may have several lines.'),
      createText('streetAddress', 'Street and number; may have several lines.'),
      createText('locality', 'Town.'),
      createText('region', 'State or region.'),
      createText('postalCode', 'Postal code.'),
      createText('country', 'Country, two letters of ISO 3166-1.'),
      createText('type', 'Purpose of the address.', { canonicalValues: ['work', 'home', 'other'] }),
      createAttribute('primary', 'Whether this is the preferred address; true for at most one.', { type: 'boolean' }),
    ],
    { multiValued: true },
  ),
  createComplex(
    'groups',
    'Groups of the user. They are changed through the groups.',
    [
      createText('value', 'Id of the group.', { mutability: 'readOnly', caseExact: true }),
      createUri('$ref', 'URL of the group.', { mutability: 'readOnly', referenceTypes: ['Group'] }),
      createText('display', 'Name of the group.', { mutability: 'readOnly' }),
      createText('type', 'Whether the user is a direct member of the group or a member of one of its subgroups.', {
        mutability: 'readOnly',
        canonicalValues: ['direct', 'indirect'],
      }),
    ],
    { multiValued: true, mutability: 'readOnly' },
  ),
  list('entitlements', 'Entitlements of the user.', createText('value', 'The entitlement.')),
  list('roles', 'Roles of the user.', createText('value', 'The role.')),
  list(
    'x509Certificates',
    'Certificates of the user.',
    createAttribute('value', 'The certificate, DER in base64.', {
      type: 'binary',
      caseExact: true,
      uniqueness: 'none',
    }),
  ),
];

const ENTERPRISE_ATTRIBUTES: readonly Attribute[] = [
  createText('employeeNumber', 'Number or code of the user in the organization.'),
  createText('costCenter', 'Cost centre.'),
  createText('organization', 'Organization.'),
  createText('division', 'Division.'),
  createText('department', 'Department.'),
  createComplex('manager', "The user's manager.", [
    createText('value', 'Id of the manager.', { caseExact: true }),
    createUri('$ref', 'URL of the manager, when `value` is the id of a user of this service.', {
      mutability: 'readOnly',
      referenceTypes: ['User'],
    }),
    createText('displayName', 'Name of the manager.', { mutability: 'readOnly' }),
  ]),
];

const GROUP_ATTRIBUTES: readonly Attribute[] = [
  createText('displayName', 'Name of the group; unique, regardless of case.', { required: true, uniqueness: 'server' }),
  createComplex(
    'members',
    'The direct members: users and groups.',
    [
      createText('value', 'Id of the member.', { mutability: 'immutable', caseExact: true }),
      createUri('$ref', 'URL of the member.', { mutability: 'immutable', referenceTypes: ['User', 'Group'] }),
      createText('display', 'Name of the member; returned only on request as members.display.', {
        mutability: 'readOnly',
        returned: 'request',
      }),
      createText('type', 'Type of the member.', { mutability: 'immutable', canonicalValues: ['User', 'Group'] }),
    ],
    { multiValued: true },
  ),
];

/** Attributes of every resource (RFC 7643 §3.1). Schema documents do not list them. */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  createAttribute('schemas', 'URNs of the schemas that the resource uses.', {
    type: 'reference',
    multiValued: true,
    required: true,
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
  }),
  createText('id', 'Identifier that this service assigned.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
  }),
  createText('externalId', "The client's own identifier.", { caseExact: true }),
  createComplex(
    'meta',
    'Metadata of the resource.',
    [
      createText('resourceType', 'Type of the resource.', { caseExact: true, mutability: 'readOnly' }),
      createAttribute('created', 'Time of creation.', { type: 'dateTime', mutability: 'readOnly' }),
      createAttribute('lastModified', 'Time of the last change.', { type: 'dateTime', mutability: 'readOnly' }),
      createUri('location', 'URL of the resource.', { mutability: 'readOnly' }),
      createText('version', 'Entity tag of the resource.', { caseExact: true, mutability: 'readOnly' }),
    ],
    { mutability: 'readOnly' },
  ),
];

/** The schemas by URN, in the order in which they are listed. */
export const SCHEMAS: readonly Schema[] = [
  { id: USER_SCHEMA, name: 'User', description: 'A user of the directory.', attributes: USER_ATTRIBUTES },
  {
    id: ENTERPRISE_SCHEMA,
    name: 'EnterpriseUser',
    description: 'Attributes of a user in an organization.',
    attributes: ENTERPRISE_ATTRIBUTES,
  },
  { id: GROUP_SCHEMA, name: 'Group', description: 'A group of the directory.', attributes: GROUP_ATTRIBUTES },
];

/** The schemas and the endpoint of a resource type. */
export interface ResourceKind {
  core: Schema;
  extensions: readonly Schema[];
  endpoint: string;
}

const getSchema = (id: string): Schema => {
  const found = SCHEMAS.find((schema) => schema.id === id);
  if (!found) throw new Error(`there is no schema ${id}`);
  return found;
};

/** The resource types (RFC 7643 §6). */
export const RESOURCE_KINDS: Readonly<Record<ResourceType, ResourceKind>> = {
  User: { core: getSchema(USER_SCHEMA), extensions: [getSchema(ENTERPRISE_SCHEMA)], endpoint: '/Users' },
  Group: { core: getSchema(GROUP_SCHEMA), extensions: [], endpoint: '/Groups' },
};

/** Finds an attribute by its case-insensitive name (RFC 7643 §2.1). */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const wanted = name.toLowerCase();
  return attributes.find((candidate) => candidate.name.toLowerCase() === wanted);
};

/** Builds the description of an attribute in a schema document (RFC 7643 §7). */
export const createAttributeDocument = ({ subAttributes, ...own }: Attribute): JsonObject => ({
  ...own,
  ...(subAttributes && { subAttributes: subAttributes.map(createAttributeDocument) }),
});
