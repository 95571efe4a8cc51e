/** A reference to a managed secret, by id or by name. */
export type SecretName = { id: string } | { name: string };
