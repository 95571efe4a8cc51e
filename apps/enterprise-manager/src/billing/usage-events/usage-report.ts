import { hash } from 'node:crypto';
import { z } from 'zod';
import { PrincipalWrite } from '../admission/admission.dto.ts';
import { line, sumName, uuid } from '../../validation/text.ts';
import { isRawNumber, parseExactly } from '@gatehouse/service-kit/exact-json';
import { instantText } from '@gatehouse/service-kit/instant-text';

/** How a request ended. */
export const OUTCOMES = ['delivered', 'client_disconnect', 'upstream_error', 'blocked_downstream'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Largest number of attempts that anybody can mean. */
export const MAX_ATTEMPT = 1_000_000_000;
/** Largest number that a column has room for. */
export const MAX_INT = 2_147_483_647;

/**
 * Longest name of a person in the ledger, in bytes: the longest id of an issuer, a slash, and 255
 * characters of three bytes. Whoever is admitted has room.
 */
export const MAX_SUBJECT_BYTES = 63 + 1 + 3 * 255;

/** The members of a report that are stored as their JSON text. */
export const VERBATIM = ['raw_usage', 'estimated_usage'] as const;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A JSON object with any keys. A `z.record` would drop the key `__proto__`; this schema keeps the
 * object.
 * `JSON.parse` makes each key an own property and never changes a prototype.
 */
const usageObject = () =>
  z
    .custom<Readonly<Record<string, unknown>>>(isObject, {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be an object'),
    })
    .meta({
      override: { type: 'object', additionalProperties: {} },
    });

/** What one attempt used, as a gateway reports it. */
export const UsageReport = z
  .strictObject({
    interaction_id: line(256),
    attempt: z.int().min(1).max(MAX_ATTEMPT).describe('With the interaction the name of what is charged once'),
    reservation_id: uuid().optional().describe('Of the admission, or of the lease that the request draws from'),
    event_time: instantText().describe(
      'The `admitted_at` of the admission, else when the request began. An admitted attempt is charged to the time of its admission, whatever is said here',
    ),
    gateway_id: line(256).meta({ examples: ['local-ai'] }),
    principal: PrincipalWrite,
    provider: sumName(256),
    route: line(512),
    requested_model: line(512),
    model: sumName(512).describe('The one that served it; by this name it has a price'),
    outcome: z.enum(OUTCOMES),
    upstream_status: z.int().min(0).max(999).describe('0 where the upstream did not answer'),
    duration_ms: z.int().min(0).max(MAX_INT),
    raw_usage: usageObject()
      .nullable()
      .describe(
        'The vendor’s own usage object, stored byte for byte with any keys; of a key that occurs twice the last value counts. At most 64 KiB of JSON text and 2,000 values, else the item is rejected. Null where none came',
      ),
    estimated_usage: usageObject()
      .nullish()
      .describe(
        'What the gateway counted itself, in the same shape and with the same limits; it counts where `raw_usage` says nothing',
      ),
  })
  .meta({ id: 'UsageReport', description: 'What one attempt of a request used' });
export type UsageReport = z.infer<typeof UsageReport>;

/** A name that attempts share with their repeats and with nobody else. */
export const attemptId = ({ interaction_id, attempt }: Pick<UsageReport, 'interaction_id' | 'attempt'>): string =>
  `${attempt} ${interaction_id}`;

/** A report with the texts of its verbatim members. */
export interface TextedReport extends UsageReport {
  raw_usage_text: string | null;
  estimated_usage_text: string | null;
}

/** Adds the texts that came. A member without a text is written anew. */
export function withTexts(report: UsageReport, texts: ReadonlyMap<string, string>): TextedReport {
  const textOf = (name: (typeof VERBATIM)[number]): string | null => {
    const value = report[name] ?? null;
    return value === null ? null : (texts.get(name) ?? JSON.stringify(value));
  };
  return { ...report, raw_usage_text: textOf('raw_usage'), estimated_usage_text: textOf('estimated_usage') };
}

/** Texts that may hold a number which a double does not hold exactly. */
const MAY_BE_INEXACT = /[\d.]{16,}|\d[eE]/;

/**
 * The SHA-256 of the content of a report, hexadecimal. The order of its members and the spelling of
 * its strings and numbers make no difference; each digit of a number that a double cannot hold
 * does.
 * @param item as `JSON.parse` gives it
 * @param texts of its verbatim members
 */
export function contentOf(item: unknown, texts: ReadonlyMap<string, string> = new Map()): string {
  const exact = [...texts].filter(([, text]) => MAY_BE_INEXACT.test(text));
  const content =
    exact.length === 0
      ? item
      : { ...(item as object), ...Object.fromEntries(exact.map(([name, text]) => [name, parseExactly(text)])) };
  return hash('sha256', canonicalText(content), 'hex');
}

/**
 * The text of a JSON value as in RFC 8785: members in the order of their UTF-16 units, everything
 * else as ECMAScript writes it. Ours, since the packages that do this take three times as long,
 * which would be a tenth of what a report costs, and refuse halves of surrogate pairs, which here
 * are written as escapes.
 */
function canonicalText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const name of sorted(Object.keys(members)))
    text += `${text === '' ? '' : ','}${quoted(name)}:${canonicalText(members[name])}`;
  return `{${text}}`;
}

/**
 * Puts few names in the order of their UTF-16 units, in place, in a quarter of the time that the
 * general way takes; many are left to that.
 */
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
