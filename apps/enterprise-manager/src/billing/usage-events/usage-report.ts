import { hash } from 'node:crypto';
import { z } from 'zod';
import { PrincipalWrite } from '../admission/admission.dto.ts';
import { line } from '@gatehouse/service-kit/text';
import { rollupKeyText, uuid } from '../../validation/text.ts';
import { isRawNumber, parseExactly } from '@gatehouse/service-kit/exact-json';
import { instantText } from '@gatehouse/service-kit/instant-text';

/** The outcomes of a request. */
export const OUTCOMES = ['delivered', 'client_disconnect', 'upstream_error', 'blocked_downstream'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Maximum number of an attempt. */
export const MAX_ATTEMPT = 1_000_000_000;
/** Maximum value of an integer column. */
export const MAX_INT = 2_147_483_647;

/**
 * Maximum length of an owner reference in the ledger, in bytes: the longest id of an issuer, a
 * slash, and 255 characters of three bytes. All admitted users fit.
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

/** The usage of one attempt, as a gateway reports it. */
export const UsageReport = z
  .strictObject({
    interaction_id: line(256),
    attempt: z
      .int()
      .min(1)
      .max(MAX_ATTEMPT)
      .describe('Number of the attempt; each attempt of an interaction is charged once'),
    reservation_id: uuid().optional().describe('Id of the admission, or of the lease from which the request draws'),
    event_time: instantText().describe(
      'The `admitted_at` of the admission, otherwise the start of the request. An admitted attempt is always charged at the time of its admission',
    ),
    gateway_id: line(256).meta({ examples: ['local-ai'] }),
    principal: PrincipalWrite,
    provider: rollupKeyText(256),
    route: line(512),
    requested_model: line(512),
    model: rollupKeyText(512).describe('The model that served the request; its price is looked up by this name'),
    outcome: z.enum(OUTCOMES),
    upstream_status: z.int().min(0).max(999).describe('0 if the upstream did not answer'),
    duration_ms: z.int().min(0).max(MAX_INT),
    raw_usage: usageObject()
      .nullable()
      .describe(
        'The vendor’s own usage object, stored byte for byte with any keys; of a repeated key the last value counts. At most 64 KiB of JSON text and 2,000 values, otherwise the item is rejected. Null if the vendor sent none',
      ),
    estimated_usage: usageObject()
      .nullish()
      .describe('The gateway’s own counts, in the same form and with the same limits; used if `raw_usage` is null'),
  })
  .meta({ id: 'UsageReport', description: 'The usage of one attempt of a request' });
export type UsageReport = z.infer<typeof UsageReport>;

/** Returns the key of an attempt. Repeated reports of an attempt have the same key. */
export const getAttemptKey = ({ interaction_id, attempt }: Pick<UsageReport, 'interaction_id' | 'attempt'>): string =>
  `${attempt} ${interaction_id}`;

/** A report with the JSON texts of its verbatim members. */
export interface VerbatimReport extends UsageReport {
  raw_usage_text: string | null;
  estimated_usage_text: string | null;
}

/** Adds the received texts of verbatim members. A member without a text is serialized. */
export function addVerbatimTexts(report: UsageReport, texts: ReadonlyMap<string, string>): VerbatimReport {
  const getExactText = (name: (typeof VERBATIM)[number]): string | null => {
    const value = report[name] ?? null;
    return value === null ? null : (texts.get(name) ?? JSON.stringify(value));
  };
  return {
    ...report,
    raw_usage_text: getExactText('raw_usage'),
    estimated_usage_text: getExactText('estimated_usage'),
  };
}

/** Matches texts with a number that a double may not hold exactly. */
const MAY_BE_INEXACT = /[\d.]{16,}|\d[eE]/;

/**
 * Computes the SHA-256 of the content of a report, hexadecimal. The order of members and the
 * spelling of strings and numbers do not change it. Each digit of a number does, also beyond the
 * precision of a double.
 * @param item the report as `JSON.parse` returns it
 * @param texts the JSON texts of its verbatim members
 */
export function computeContentHash(item: unknown, texts: ReadonlyMap<string, string> = new Map()): string {
  const exact = [...texts].filter(([, text]) => MAY_BE_INEXACT.test(text));
  const content =
    exact.length === 0
      ? item
      : { ...(item as object), ...Object.fromEntries(exact.map(([name, text]) => [name, parseExactly(text)])) };
  return hash('sha256', toCanonicalJson(content), 'hex');
}

/**
 * Writes a JSON value in the canonical form of RFC 8785. The library `canonicalize` is not used: it
 * refuses unpaired surrogates, which are written as escapes here, and numbers that keep their text.
 */
function toCanonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const texts = Object.keys(members)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${toCanonicalJson(members[name])}`);
  return `{${texts.join(',')}}`;
}
