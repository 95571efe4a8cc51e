import type { OperationExamples } from '@gatehouse/service-kit/route-facts';
import {
  createProviderConfiguration,
  createResourceTypeDocuments,
  createSchemaDocuments,
} from '../protocol/discovery.ts';
import { PATCH_SCHEMA } from '../protocol/patch-operations.ts';
import { createGroupResource, listResponse, createUserResource } from '../protocol/resources.ts';
import { GROUP_SCHEMA, USER_SCHEMA } from '../protocol/schemas.ts';

const BASE = 'https://gatehouse.example.com/scim/corporate/v2';
const AT = '2026-03-02T09:30:00.000Z';
const stored = { external_id: '7c9e6679', version: 1, created_at: AT, updated_at: AT };

const alice = {
  userName: 'alice@example.com',
  name: { givenName: 'Alice', familyName: 'Moreau' },
  displayName: 'Alice Moreau',
  emails: [{ value: 'alice@example.com', type: 'work', primary: true }],
};
const { userName, ...attributes } = alice;
const [user, group] = [
  { ...stored, id: '0197a3c2-04f8-7996-ada7-63b7a969b102', user_name: userName, active: true, scim: attributes },
  { ...stored, id: '0197a3c2-ad93-76fc-abed-631fa67e05c3', display_name: 'Data platform' },
];
const inGroup = { value: group.id, $ref: `${BASE}/Groups/${group.id}`, display: group.display_name, type: 'direct' };
const member = { value: user.id, $ref: `${BASE}/Users/${user.id}`, type: 'User' };
const responses = {
  user: { ...createUserResource(user, BASE), groups: [inGroup] },
  group: { ...createGroupResource(group, BASE), members: [member] },
};

const searchFor = (filter: string, attributes: string[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
  filter,
  attributes,
  startIndex: 1,
  count: 10,
});
const createPatch = (...operations: object[]) => ({ schemas: [PATCH_SCHEMA], Operations: operations });

/** Examples of users in the OpenAPI document. */
export const USER_EXAMPLES = {
  read: { response: responses.user },
  list: { response: listResponse([responses.user], 1) },
  search: {
    body: searchFor('userName eq "alice@example.com"', ['userName', 'active']),
    response: listResponse([responses.user], 1),
  },
  write: {
    body: { schemas: [USER_SCHEMA], ...alice, externalId: stored.external_id, active: true },
    response: { ...createUserResource(user, BASE), groups: [] },
  },
  patch: {
    body: createPatch({ op: 'replace', path: 'active', value: false }),
    response: { ...responses.user, active: false },
  },
} satisfies Record<string, OperationExamples>;

/** Examples of groups in the OpenAPI document. */
export const GROUP_EXAMPLES = {
  read: { response: responses.group },
  list: { response: listResponse([responses.group], 1) },
  search: {
    body: searchFor('displayName eq "Data platform"', ['displayName']),
    response: listResponse([responses.group], 1),
  },
  write: {
    body: {
      schemas: [GROUP_SCHEMA],
      displayName: group.display_name,
      externalId: stored.external_id,
      members: [{ value: user.id }],
    },
    response: responses.group,
  },
  patch: { body: createPatch({ op: 'add', path: 'members', value: [{ value: user.id }] }), response: responses.group },
} satisfies Record<string, OperationExamples>;

const failures = { 403: 'filter: these documents cannot be filtered.' };
const [types, schemas] = [createResourceTypeDocuments(BASE), createSchemaDocuments(BASE)];

/** Examples of the documents that describe the endpoint. */
export const DOCUMENT_EXAMPLES = {
  configuration: { response: createProviderConfiguration(BASE), failures },
  resourceTypes: { response: listResponse(types, types.length), failures },
  resourceType: { parameters: { id: 'User' }, response: types[0], failures },
  schemas: { response: listResponse(schemas, schemas.length), failures },
  schema: { parameters: { id: GROUP_SCHEMA }, response: schemas.find(({ id }) => id === GROUP_SCHEMA), failures },
} satisfies Record<string, OperationExamples>;
