/**
 * An issuer of the configuration, as far as names of people need it. The first one is the company's
 * own.
 */
type Issuers = readonly { readonly id: string; readonly issuer: string }[];

/** A person: equal subjects of two issuers are two people. */
export interface Person {
  issuer: string;
  subject: string;
}

/**
 * How budgets, charges and reports name a person, their `subject_id`: the subject for the first
 * issuer of the configuration, `<issuer id>/<subject>` for the others. A subject of the first
 * issuer that itself begins like a person of an issuer has its issuer's id in front too, so that no
 * two people share a name.
 */
export function personRef(issuers: Issuers, { issuer, subject }: Person): string {
  const at = issuers.findIndex((configured) => configured.issuer === issuer);
  if (at === 0 && issuerNamedIn(issuers, subject) === undefined) return subject;
  return `${issuers[at]?.id ?? issuer}/${subject}`;
}

/**
 * The person whom a `subject_id` names; the inverse of `personRef`. Undefined where no issuer is
 * configured.
 */
export function personNamed(issuers: Issuers, ref: string): Person | undefined {
  const named = issuerNamedIn(issuers, ref);
  if (named !== undefined) return { issuer: named.issuer, subject: ref.slice(named.id.length + 1) };
  const [first] = issuers;
  return first === undefined ? undefined : { issuer: first.issuer, subject: ref };
}

const issuerNamedIn = (issuers: Issuers, text: string) => issuers.find(({ id }) => text.startsWith(`${id}/`));
