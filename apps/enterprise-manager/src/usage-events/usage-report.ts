import { hash } from 'node:crypto';
import { z } from 'zod';
import { PrincipalWrite } from '../admission/admission.dto.ts';
import { line, sumName, uuid } from '../directory/text.ts';
import { instantText } from '@gatehouse/service-kit/instant-text';

/** How a request ended. */
export const OUTCOMES = ['delivered', 'client_disconnect', 'upstream_error', 'blocked_downstream'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Largest number of attempts that anybody can mean. */
export const MAX_ATTEMPT = 1_000_000_000;
/** Largest number that a column has room for. */
export const MAX_INT = 2_147_483_647;

/** Longest name of a person in the ledger, in bytes: the longest id of an issuer, a slash, and 255 characters of three bytes. Whoever is admitted has room. */
export const MAX_SUBJECT_BYTES = 63 + 1 + 3 * 255;

const usageObject = () => z.record(z.string(), z.unknown());

/** What one attempt used, as a gateway reports it. */
export const UsageReport = z
  .strictObject({
    interaction_id: line(256),
    attempt: z.int().min(1).max(MAX_ATTEMPT).describe('With the interaction the name of what is charged once'),
    reservation_id: uuid().optional().describe('Of the admission, or of the lease that the request draws from'),
    event_time: instantText().describe(
      'The `admitted_at` of the admission, else when the request began. An admitted attempt is charged to the time of its admission, whatever is said here',
    ),
    gateway_id: line(256),
    principal: PrincipalWrite,
    provider: sumName(256),
    route: line(512),
    requested_model: line(512),
    model: sumName(512).describe('The one that served it; by this name it has a price'),
    outcome: z.enum(OUTCOMES),
    upstream_status: z.int().min(0).max(999).describe('0 where the upstream did not answer'),
    duration_ms: z.int().min(0).max(MAX_INT),
    raw_usage: usageObject().nullable().describe('The vendor’s own usage object, verbatim; null where none came'),
    estimated_usage: usageObject()
      .nullish()
      .describe('What the gateway counted itself, in the same shape; it counts where `raw_usage` says nothing'),
  })
  .meta({ id: 'UsageReport', description: 'What one attempt of a request used' });
export type UsageReport = z.infer<typeof UsageReport>;

/** A name that attempts share with their repeats and with nobody else. */
export const attemptId = ({ interaction_id, attempt }: Pick<UsageReport, 'interaction_id' | 'attempt'>): string =>
  `${attempt} ${interaction_id}`;

/** The SHA-256 of what a report says, hexadecimal, in whatever order and spelling its members came. */
export const contentOf = (item: unknown): string => hash('sha256', canonicalText(item), 'hex');

/**
 * The text of a JSON value as in RFC 8785: members in the order of their UTF-16 units, everything else as ECMAScript writes it. Ours, since the packages that
 * do this take three times as long, which would be a tenth of what a report costs, and refuse halves of surrogate pairs, which here are written as escapes.
 */
function canonicalText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const name of sorted(Object.keys(members)))
    text += `${text === '' ? '' : ','}${quoted(name)}:${canonicalText(members[name])}`;
  return `{${text}}`;
}

/** Puts few names in the order of their UTF-16 units, in place, in a quarter of the time that the general way takes; many are left to that. */
function sorted(names: string[]): string[] {
  if (names.length > FEW) return names.sort();
  for (let at = 1; at < names.length; at += 1) {
    const name = names[at] ?? '';
    let place = at;
    for (let before = names[place - 1]; before !== undefined && before > name; before = names[place - 1]) {
      names[place] = before;
      place -= 1;
    }
    names[place] = name;
  }
  return names;
}
const FEW = 16;

/** What stands in a JSON text as it is: nearly every string of a report. */
const PLAIN = /^[ !#-[\]-~]*$/;

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));
