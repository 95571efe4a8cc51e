import { describe, expect, it } from '@jest/globals';
import { buildOrderSql } from './order-sql.ts';

describe('buildOrderSql', () => {
  it('orders by creation by default', () => {
    expect(buildOrderSql('User')).toBe('u.created_at ASC, u.id ASC');
    expect(buildOrderSql('Group', undefined, 'descending')).toBe('g.created_at DESC, g.id DESC');
  });

  it('orders by one attribute and then by id', () => {
    expect(buildOrderSql('User', 'USERNAME', 'Descending')).toBe('u.user_name_key DESC, u.id DESC');
    expect(buildOrderSql('User', 'name.familyName')).toContain("lower((u.scim #>> ARRAY['name', 'familyName'])) ASC");
    expect(buildOrderSql('User', 'externalId')).toBe('u.external_id ASC, u.id ASC');
    expect(buildOrderSql('User', 'emails')).toContain(
      "ORDER BY COALESCE((p.e ->> 'primary')::boolean, FALSE) DESC, p.place LIMIT 1",
    );
    expect(buildOrderSql('Group', 'displayName')).toBe('g.display_name_key ASC, g.id ASC');
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
  ] as const)('refuses to order a %s by %s %s', (type, sortBy, sortOrder) => {
    expect(() => buildOrderSql(type, sortBy, sortOrder)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });
});
