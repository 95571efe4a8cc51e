/** A connector or an identity provider that refers to an object, such as a secret. */
export type ObjectReference =
  { kind: 'connector'; gateway_id: string; name: string } | { kind: 'identity_provider'; name: string };

const MAX_NAMES = 5;

/** Formats the names of users for a message: at most five, then the number of the others. */
export function formatReferences(users: readonly ObjectReference[]): string {
  const names = [...new Set(users.map(formatReference))];
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const formatReference = (user: ObjectReference): string =>
  user.kind === 'connector'
    ? `connector "${user.name}" of gateway ${user.gateway_id}`
    : `connector identity provider "${user.name}"`;
