/** The issuers of the configuration. The first one is the company's own issuer. */
export type Issuers = readonly { readonly id: string; readonly issuer: string }[];

/** The identity of a user. Equal subjects of two issuers are different users. */
export interface UserIdentity {
  issuer: string;
  subject: string;
}

/**
 * Returns the owner reference of a user, the `subject_id` of budgets, charges and reports: the
 * subject for the first issuer of the configuration, `<issuer id>/<subject>` for the others. A
 * subject of the first issuer that begins with an issuer id also has this prefix, so that owner
 * references are unique.
 */
export function getOwnerRef(issuers: Issuers, { issuer, subject }: UserIdentity): string {
  const at = issuers.findIndex((configured) => configured.issuer === issuer);
  if (at === 0 && findIssuerPrefix(issuers, subject) === undefined) return subject;
  return `${issuers[at]?.id ?? issuer}/${subject}`;
}

/** Parses an owner reference (inverse of `getOwnerRef`). Undefined without configured issuers. */
export function parseOwnerRef(issuers: Issuers, ref: string): UserIdentity | undefined {
  const issuer = findIssuerPrefix(issuers, ref);
  if (issuer !== undefined) return { issuer: issuer.issuer, subject: ref.slice(issuer.id.length + 1) };
  const [first] = issuers;
  return first === undefined ? undefined : { issuer: first.issuer, subject: ref };
}

const findIssuerPrefix = (issuers: Issuers, text: string) => issuers.find(({ id }) => text.startsWith(`${id}/`));
