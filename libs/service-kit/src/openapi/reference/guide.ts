import type { FailureStyle } from '../../http/failures.ts';
import { failureExample, failureTable } from './failure-answers.ts';

/** The facts for the guide of a service. */
export interface GuideFacts {
  /** The purpose of the service. */
  description: string;
  failureStyle: FailureStyle;
  /** Failure statuses of its operations. */
  statuses: Iterable<number>;
  /** Which features at least one operation has. */
  has: { lists: boolean; etags: boolean; money: boolean };
  /** Further parts of this service: heading and Markdown. */
  parts?: readonly { heading: string; text: string }[];
}

const SIGN_IN = `Every operation that is not marked as public requires an access token (JWT) of one of the deployment’s issuers in \`Authorization: Bearer <token>\` (RFC 6750). \`x-roles\` of an operation lists the roles that may call it; \`user\` means every user.

- **On this page**: use *Sign in* above, if the deployment has configured it, or *Authorize* and paste a token. The page keeps the token in memory only.
- **In a terminal**: \`gatehouse token\` prints a token on a local platform. Elsewhere, use an OpenID client of the issuer.
- **In a program**: a 401 names the metadata of this API (RFC 9728), and the metadata names the issuers.`;

const LISTS = `A list has pages in a stable order. \`limit\` is the largest number of entries on a page; a value above the maximum counts as the maximum. Send \`next_cursor\` as \`cursor\` for the next page and \`prev_cursor\` as \`before\` for the previous page, until they are absent. Entries that are added or removed in the meantime do not repeat or hide other entries. A cursor is opaque. It is valid for one list, its filters and its caller; any other use answers 400.`;

const ETAGS = `The answer to a read of one object has an \`ETag\`. Send it as \`If-None-Match\` with the next read: 304 means that the object has not changed. Send it as \`If-Match\` with a change: 412 means that another request changed the object in the meantime and that this change was not made (RFC 9110). A change with \`If-None-Match\` answers 400. A read ignores \`If-Match\`.`;

const VALUES = `- **Times** are UTC in the form of RFC 3339 with \`Z\`, for example \`2026-03-02T09:30:00Z\`.
- **Ids** are UUIDs. Their case does not matter.
- **Request ids**: send \`X-Request-Id\` to find a request in logs and in the audit trail. Without it, the service creates an id. Every answer has it. The service forwards W3C \`traceparent\`.
- **JSON** bodies are UTF-8, have no duplicate keys, and nest at most 100 levels.`;

const MONEY = '- **Amounts of money** are decimal strings, not JSON numbers: `"12.500000000"`.';

/**
 * The introduction of a service's reference, in Markdown: sign-in, failures and the conventions
 * that all operations share.
 */
export function formatGuide({ description, failureStyle, statuses, has, parts = [] }: GuideFacts): string {
  const body = JSON.stringify(failureExample({ status: 400, style: failureStyle, field: 'limit' }));
  const section = (heading: string, text: string) => `## ${heading}\n\n${text}`;
  return [
    description,
    section('Sign in', SIGN_IN),
    section(
      'Failures',
      `A failed request has no effect. Its body contains the reason:\n\n\`\`\`json\n${body}\n\`\`\`\n\nThe service checks in this order: 401, then 403, then 400, 413 and 415, then 404, then 428 and 412, then 409, then 422.\n\n${failureTable(statuses)}`,
    ),
    ...(has.lists ? [section('Lists', LISTS)] : []),
    ...(has.etags ? [section('States and parallel changes', ETAGS)] : []),
    section('Values', has.money ? `${VALUES}\n${MONEY}` : VALUES),
    ...parts.map(({ heading, text }) => section(heading, text)),
  ].join('\n\n');
}
