/** Something of an administrator that refers to something else. */
export type User =
  { kind: 'connector'; gateway_id: string; name: string } | { kind: 'identity_provider'; name: string };

const NAMED = 5;

/** The users of something, in words. */
export function namesOfUsers(users: readonly User[]): string {
  const names = [...new Set(users.map(nameOf))];
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const nameOf = (user: User): string =>
  user.kind === 'connector'
    ? `connector "${user.name}" of gateway ${user.gateway_id}`
    : `connector identity provider "${user.name}"`;
