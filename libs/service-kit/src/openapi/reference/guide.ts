import type { FailureStyle } from '../../http/failures.ts';
import { failureExample, failureTable } from './failure-answers.ts';

/** What the guide of a service is made from. */
export interface GuideFacts {
  /** What the service is for, in its own words. */
  description: string;
  failureStyle: FailureStyle;
  /** Failure statuses that its operations answer. */
  statuses: Iterable<number>;
  /** Parts that only make sense where some operation has them. */
  has: { lists: boolean; etags: boolean; money: boolean };
  /** Further parts of this service: heading and Markdown. */
  parts?: readonly { heading: string; text: string }[];
}

const SIGN_IN = `Every operation without the note “public” needs an access token (JWT) of one of the deployment’s issuers in \`Authorization: Bearer <token>\` (RFC 6750). \`x-roles\` of an operation names the roles that open it; \`user\` is every person.

- **On this page**: *Sign in* above, where the deployment has set it up; or *Authorize*, and paste a token. The token stays in this page’s memory and is gone with it.
- **In a terminal**: \`gatehouse token\` prints one on a local platform; any OpenID client of the issuer gets one elsewhere.
- **In a program**: a 401 names the metadata of this API (RFC 9728), and that names the issuers.`;

const LISTS = `Lists are pages in a stable order. \`limit\` says how many entries a page has at most; a larger one than the maximum counts as the maximum. Follow \`next_cursor\` with \`cursor\` and \`prev_cursor\` with \`before\` until they are absent; entries that come or go meanwhile neither repeat nor hide others. A cursor is opaque and belongs to one list, its filters and its caller; anywhere else it is a 400.`;

const ETAGS = `Reads of one object carry an \`ETag\`. Send it as \`If-None-Match\` with the next read: 304 means that nothing changed. Send it as \`If-Match\` with a change: 412 means that somebody else changed the object meanwhile, and nothing was overwritten (RFC 9110). A change takes no \`If-None-Match\`: it is a 400. A read ignores \`If-Match\`.`;

const VALUES = `- **Time** is UTC in RFC 3339 with \`Z\`, for example \`2026-03-02T09:30:00Z\`.
- **Ids** are UUIDs, compared without case.
- **Request ids**: send \`X-Request-Id\` to find a request again in logs and audit; without it the service makes one. Every answer carries it. W3C \`traceparent\` is taken along.
- **JSON** bodies are UTF-8, hold no key twice, and nest at most 64 levels.`;

const MONEY = '- **Money** is a decimal string, never a JSON number: `"12.500000000"`.';

/**
 * The introduction of a service's reference, in Markdown: sign-in, failures and the conventions
 * that all operations share.
 */
export function guideOf({ description, failureStyle, statuses, has, parts = [] }: GuideFacts): string {
  const body = JSON.stringify(failureExample({ status: 400, style: failureStyle, field: 'limit' }));
  const section = (heading: string, text: string) => `## ${heading}\n\n${text}`;
  return [
    description,
    section('Sign in', SIGN_IN),
    section(
      'Failures',
      `A failed request changed nothing. Its body says why:\n\n\`\`\`json\n${body}\n\`\`\`\n\nChecks come in this order: 401, 403, then 400, 413 and 415, then 404, then 428 and 412, then 409, then 422.\n\n${failureTable(statuses)}`,
    ),
    ...(has.lists ? [section('Lists', LISTS)] : []),
    ...(has.etags ? [section('States and parallel changes', ETAGS)] : []),
    section('Values', has.money ? `${VALUES}\n${MONEY}` : VALUES),
    ...parts.map(({ heading, text }) => section(heading, text)),
  ].join('\n\n');
}
