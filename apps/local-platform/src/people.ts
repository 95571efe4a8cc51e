/** A person of a fresh platform. */
export interface FoundingPerson {
  name: string;
  display_name: string;
  roles: readonly string[];
}

/** Those who can sign in to a fresh platform. */
export const FOUNDING_PEOPLE: readonly FoundingPerson[] = [
  { name: 'admin', display_name: 'Admin', roles: ['admin', 'policyEditor'] },
  { name: 'auditor', display_name: 'Auditor', roles: ['auditor'] },
  { name: 'alice', display_name: 'Alice', roles: ['user'] },
  { name: 'bob', display_name: 'Bob', roles: ['user'] },
  { name: 'carol', display_name: 'Carol', roles: ['user'] },
];

/** Services that sign in with a secret of their own. */
export const SERVICE_CLIENTS = ['connector-gateway', 'ai-gateway', 'ai-gateway-mgmt'] as const;

export const emailOf = (name: string): string => `${name}@example.test`;
