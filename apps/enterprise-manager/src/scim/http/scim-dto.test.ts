import { describe, expect, it } from '@jest/globals';
import { toJSONSchema, type ZodType } from 'zod';
import { readGroupPatch } from '../protocol/patch-group.ts';
import { readPatch } from '../protocol/patch-operations.ts';
import { patchUser } from '../protocol/patch-user.ts';
import { readGroup } from '../protocol/read-group.ts';
import { readUser } from '../protocol/read-user.ts';
import { type JsonObject, ScimError } from '../protocol/types.ts';
import { GROUP_EXAMPLES, USER_EXAMPLES } from './scim-examples.ts';
import { ScimGroupBody, ScimPatchBody, ScimUserBody, SearchRequest } from './scim.dto.ts';

interface BodySchema {
  required?: string[];
  properties?: Record<string, BodySchema>;
  items?: BodySchema;
}

/** Returns the schema of a body in the OpenAPI document. */
const getBodySchema = (body: ZodType): BodySchema => body.meta()?.['override'] as BodySchema;

const omitMember = (body: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
const pickMembers = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([key]) => names.includes(key)));

const applyUserPatch = (body: JsonObject) => patchUser(readUser(USER_EXAMPLES.write.body), readPatch(body));
const readGroupChanges = (body: JsonObject) => readGroupPatch(readPatch(body));

describe('the documented bodies of SCIM', () => {
  const bodies: [string, ZodType, JsonObject, (body: JsonObject) => unknown][] = [
    ['a user', ScimUserBody, USER_EXAMPLES.write.body, readUser],
    ['a group', ScimGroupBody, GROUP_EXAMPLES.write.body, readGroup],
    ['a PATCH of a user', ScimPatchBody, USER_EXAMPLES.patch.body, applyUserPatch],
    ['a PATCH of a group', ScimPatchBody, GROUP_EXAMPLES.patch.body, readGroupChanges],
  ];

  it.each(bodies)('have an example of %s that the service accepts', (_, schema, example, read) => {
    expect(schema.safeParse(example).success).toBe(true);
    expect(() => read(example)).not.toThrow();
  });

  it.each(bodies)('require the same members of %s as the service', (_, schema, example, read) => {
    const { required = [] } = getBodySchema(schema);
    expect(required.length).toBeGreaterThan(0);
    for (const name of required) expect(() => read(omitMember(example, name))).toThrow(ScimError);
    expect(() => read(pickMembers(example, required))).not.toThrow();
  });

  it('require the op of an operation and the value of a member', () => {
    const operation = getBodySchema(ScimPatchBody).properties?.['Operations']?.items;
    expect(operation?.required).toEqual(['op']);
    const patch = (change: JsonObject) => ({ ...USER_EXAMPLES.patch.body, Operations: [change] });
    expect(() => readPatch(patch({ path: 'active', value: true }))).toThrow(ScimError);
    expect(() => readPatch(patch({ op: 'add', value: { active: true } }))).not.toThrow();
    expect(() => readPatch(patch({ op: 'remove', path: 'title' }))).not.toThrow();

    expect(getBodySchema(ScimGroupBody).properties?.['members']?.items?.required).toEqual(['value']);
    const group = (member: JsonObject) => ({ ...GROUP_EXAMPLES.write.body, members: [member] });
    expect(() => readGroup(group({ type: 'User' }))).toThrow(ScimError);
    expect(() => readGroup(group({ value: '1' }))).not.toThrow();
  });

  it('require no member of a search', () => {
    expect(toJSONSchema(SearchRequest, { io: 'input' }).required).toBeUndefined();
    expect(SearchRequest.safeParse({}).success).toBe(true);
    for (const { search } of [USER_EXAMPLES, GROUP_EXAMPLES])
      expect(SearchRequest.safeParse(search.body).success).toBe(true);
  });
});
