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

const attribute = (name: string, description: string, traits: Traits = {}): Attribute => ({
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
const text = (name: string, description: string, traits: Traits = {}): Attribute =>
  attribute(name, description, { caseExact: false, uniqueness: 'none', ...traits });

const uri = (name: string, description: string, traits: Traits = {}): Attribute =>
  attribute(name, description, {
    type: 'reference',
    caseExact: true,
    uniqueness: 'none',
    referenceTypes: ['external'],
    ...traits,
  });

const complex = (name: string, description: string, subAttributes: Attribute[], traits: Traits = {}): Attribute =>
  attribute(name, description, { type: 'complex', subAttributes, ...traits });

/** A multi-valued attribute with `type`, `primary` and `display` (RFC 7643 §2.4). */
const list = (name: string, description: string, value: Attribute, canonicalTypes?: string[]): Attribute =>
  complex(
    name,
    description,
    [
      value,
      text('display', 'Display text of the value.'),
      text('type', 'Purpose of the value.', canonicalTypes ? { canonicalValues: canonicalTypes } : {}),
      attribute('primary', 'Whether this is the preferred value; true for at most one.', { type: 'boolean' }),
    ],
    { multiValued: true },
  );

const USER_ATTRIBUTES: readonly Attribute[] = [
  text('userName', 'Name of the account; unique within the issuer, regardless of case.', {
    required: true,
    uniqueness: 'server',
  }),
  complex('name', "Parts of the user's name.", [
    text('formatted', 'The whole name for display.'),
    text('familyName', 'Family name.'),
    text('givenName', 'Given name.'),
    text('middleName', 'Middle names.'),
    text('honorificPrefix', 'Title before the name.'),
    text('honorificSuffix', 'Suffix after the name.'),
  ]),
  text('displayName', 'Name for display.'),
  text('nickName', 'Casual name of the user.'),
  uri('profileUrl', "Page with the user's profile."),
  text('title', 'Job title.'),
  text('userType', 'Relationship of the user to the organization.'),
  text('preferredLanguage', 'Preferred languages, as in Accept-Language.'),
  text('locale', 'Location of the user, for the format of numbers and dates.'),
  text('timezone', 'Time zone, by its name in the IANA database.'),
  attribute('active', 'Whether the user has any access.', { type: 'boolean' }),
  list('emails', 'E-mail addresses.', text('value', 'The address.'), ['work', 'home', 'other']),
  list('phoneNumbers', 'Telephone numbers.', text('value', 'The number.'), [
    'work',
    'home',
    'mobile',
    'fax',
    'pager',
    'other',
  ]),
  list('ims', 'Addresses for instant messages.', text('value', 'The address.'), ['aim', 'gtalk', 'icq', 'xmpp', 'msn']),
  list('photos', 'Pictures of the user.', uri('value', 'URL of the picture.'), ['photo', 'thumbnail']),
  complex(
    'addresses',
    'Postal addresses.',
    [
      text('formatted', 'The whole address; may have several lines.'),
      text('streetAddress', 'Street and number; may have several lines.'),
      text('locality', 'Town.'),
      text('region', 'State or region.'),
      text('postalCode', 'Postal code.'),
      text('country', 'Country, two letters of ISO 3166-1.'),
      text('type', 'Purpose of the address.', { canonicalValues: ['work', 'home', 'other'] }),
      attribute('primary', 'Whether this is the preferred address; true for at most one.', { type: 'boolean' }),
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'Groups of the user. They are changed through the groups.',
    [
      text('value', 'Id of the group.', { mutability: 'readOnly', caseExact: true }),
      uri('$ref', 'URL of the group.', { mutability: 'readOnly', referenceTypes: ['Group'] }),
      text('display', 'Name of the group.', { mutability: 'readOnly' }),
      text('type', 'Whether the user is a direct member of the group or a member of one of its subgroups.', {
        mutability: 'readOnly',
        canonicalValues: ['direct', 'indirect'],
      }),
    ],
    { multiValued: true, mutability: 'readOnly' },
  ),
  list('entitlements', 'Entitlements of the user.', text('value', 'The entitlement.')),
  list('roles', 'Roles of the user.', text('value', 'The role.')),
  list(
    'x509Certificates',
    'Certificates of the user.',
    attribute('value', 'The certificate, DER in base64.', { type: 'binary', caseExact: true, uniqueness: 'none' }),
  ),
];

const ENTERPRISE_ATTRIBUTES: readonly Attribute[] = [
  text('employeeNumber', 'Number or code of the user in the organization.'),
  text('costCenter', 'Cost centre.'),
  text('organization', 'Organization.'),
  text('division', 'Division.'),
  text('department', 'Department.'),
  complex('manager', "The user's manager.", [
    text('value', 'Id of the manager.', { caseExact: true }),
    uri('$ref', 'URL of the manager, when `value` is the id of a user of this service.', {
      mutability: 'readOnly',
      referenceTypes: ['User'],
    }),
    text('displayName', 'Name of the manager.', { mutability: 'readOnly' }),
  ]),
];

const GROUP_ATTRIBUTES: readonly Attribute[] = [
  text('displayName', 'Name of the group; unique, regardless of case.', { required: true, uniqueness: 'server' }),
  complex(
    'members',
    'The direct members: users and groups.',
    [
      text('value', 'Id of the member.', { mutability: 'immutable', caseExact: true }),
      uri('$ref', 'URL of the member.', { mutability: 'immutable', referenceTypes: ['User', 'Group'] }),
      text('display', 'Name of the member; returned only on request as members.display.', {
        mutability: 'readOnly',
        returned: 'request',
      }),
      text('type', 'Type of the member.', { mutability: 'immutable', canonicalValues: ['User', 'Group'] }),
    ],
    { multiValued: true },
  ),
];

/** Attributes of every resource (RFC 7643 §3.1). Schema documents do not list them. */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  attribute('schemas', 'URNs of the schemas that the resource uses.', {
    type: 'reference',
    multiValued: true,
    required: true,
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
  }),
  text('id', 'Identifier that this service assigned.', { caseExact: true, mutability: 'readOnly', returned: 'always' }),
  text('externalId', "The client's own identifier.", { caseExact: true }),
  complex(
    'meta',
    'Metadata of the resource.',
    [
      text('resourceType', 'Type of the resource.', { caseExact: true, mutability: 'readOnly' }),
      attribute('created', 'Time of creation.', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('lastModified', 'Time of the last change.', { type: 'dateTime', mutability: 'readOnly' }),
      uri('location', 'URL of the resource.', { mutability: 'readOnly' }),
      text('version', 'Entity tag of the resource.', { caseExact: true, mutability: 'readOnly' }),
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

const schemaOf = (id: string): Schema => {
  const found = SCHEMAS.find((schema) => schema.id === id);
  if (!found) throw new Error(`there is no schema ${id}`);
  return found;
};

/** The resource types (RFC 7643 §6). */
export const RESOURCE_KINDS: Readonly<Record<ResourceType, ResourceKind>> = {
  User: { core: schemaOf(USER_SCHEMA), extensions: [schemaOf(ENTERPRISE_SCHEMA)], endpoint: '/Users' },
  Group: { core: schemaOf(GROUP_SCHEMA), extensions: [], endpoint: '/Groups' },
};

/** Finds an attribute by its case-insensitive name (RFC 7643 §2.1). */
export const attributeNamed = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const wanted = name.toLowerCase();
  return attributes.find((candidate) => candidate.name.toLowerCase() === wanted);
};

/** Builds the description of an attribute in a schema document (RFC 7643 §7). */
export const attributeDocument = ({ subAttributes, ...own }: Attribute): JsonObject => ({
  ...own,
  ...(subAttributes && { subAttributes: subAttributes.map(attributeDocument) }),
});
