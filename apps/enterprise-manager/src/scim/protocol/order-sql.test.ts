import { describe, expect, it } from '@jest/globals';
import { orderSql } from './order-sql.ts';

describe('the order of a list', () => {
  it('is that in which the resources came, unless the request says', () => {
    expect(orderSql('User')).toBe('u.created_at ASC, u.id ASC');
    expect(orderSql('Group', undefined, 'descending')).toBe('g.created_at DESC, g.id DESC');
  });

  it('goes by one attribute, and by id where that is equal', () => {
    expect(orderSql('User', 'USERNAME', 'Descending')).toBe('u.user_name_key DESC, u.id DESC');
    expect(orderSql('User', 'name.familyName')).toContain("lower((u.scim #>> ARRAY['name', 'familyName'])) ASC");
    expect(orderSql('User', 'externalId')).toBe('u.external_id ASC, u.id ASC');
    expect(orderSql('User', 'emails')).toContain(
      "ORDER BY COALESCE((p.e ->> 'primary')::boolean, FALSE) DESC, p.place LIMIT 1",
    );
    expect(orderSql('Group', 'displayName')).toBe('g.display_name_key ASC, g.id ASC');
  });

  it.each([
    ['User', 'nope', undefined],
    ['User', 'name', undefined],
    ['User', 'addresses', undefined],
    ['User', 'password', undefined],
    ['User', 'groups', undefined],
    ['User', 'meta.location', undefined],
    ['User', 'userName; DROP TABLE users', undefined],
    ['Group', 'members', undefined],
    ['Group', '__proto__', undefined],
    ['User', 'userName', 'constructor'],
    ['User', 'userName', 'up'],
    ['User', 'schemas', 'ascending'],
  ] as const)('of %s by %s %s is refused', (type, sortBy, sortOrder) => {
    expect(() => orderSql(type, sortBy, sortOrder)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });
});
