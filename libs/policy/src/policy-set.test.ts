import { describe, expect, it } from '@jest/globals';
import { STANDARD_CLAIMS } from './claims.ts';
import { preparePolicySet } from './policy-set.ts';
import { ACTIONS } from './schema.ts';

const DOCUMENT = `
@id("all") permit(principal in Group::"staff", action, resource);
@id("one") forbid(principal, action == Action::"call_tool", resource) when { principal.claim_email == resource.name };
@id("in-one") permit(principal == User::"ann", action in Action::"connect", resource);
@id("some") permit(principal, action in [Action::"connect", Action::"list_tools"], resource);
@id("none") permit(principal in Group::"nobody", action in [], resource);
@id("foreign") permit(principal, action == Action::"delete", resource) when { principal.claim_roles.contains("x") };
`;

describe('the slices of a policy set', () => {
  const { slices, claims } = preparePolicySet('c', DOCUMENT, STANDARD_CLAIMS);

  it('hold the policies whose scope an action is in', () => {
    const names = ACTIONS.map((action) => [action, Object.keys(slices[action].policies)]);
    expect(Object.fromEntries(names)).toEqual({
      connect: ['all', 'in-one', 'some'],
      list_tools: ['all', 'some'],
      call_tool: ['all', 'one'],
      get_prompt: ['all'],
      read_resource: ['all'],
    });
  });

  it('speak about what their own policies mention', () => {
    const { call_tool, connect } = slices;
    expect([[...call_tool.groups], [...call_tool.attributes].sort()]).toEqual([['staff'], ['claim_email', 'name']]);
    expect([call_tool.namesUsers, connect.namesUsers, connect.attributes.size]).toEqual([false, true, 0]);
  });

  it('are one where they hold the same', () => {
    expect(slices.get_prompt).toBe(slices.read_resource);
    expect(slices.list_tools).not.toBe(slices.get_prompt);
  });

  it('leave the claims to the whole set: what is wrong with a token does not depend on what is asked', () => {
    expect([...claims.keys()].sort()).toEqual(['claim_email', 'claim_roles']);
  });
});
