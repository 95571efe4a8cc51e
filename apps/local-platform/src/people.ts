/** A user of a new platform. */
export interface InitialUser {
  name: string;
  display_name: string;
  roles: readonly string[];
}

/** The users of a new platform. */
export const INITIAL_USERS: readonly InitialUser[] = [
  { name: 'admin', display_name: 'Admin', roles: ['admin', 'policyEditor'] },
  { name: 'auditor', display_name: 'Auditor', roles: ['auditor'] },
  { name: 'alice', display_name: 'Alice', roles: ['user'] },
  { name: 'bob', display_name: 'Bob', roles: ['user'] },
  { name: 'carol', display_name: 'Carol', roles: ['user'] },
];

/** Services with client credentials. */
export const SERVICE_CLIENTS = ['connector-gateway', 'ai-gateway', 'ai-gateway-mgmt'] as const;

export const createEmail = (name: string): string => `${name}@example.test`;
