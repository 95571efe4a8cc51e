import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import type { ClaimMapping } from './claims.ts';
import { schemaText } from './schema.ts';

/** What is wrong with a document and where: line and column count from 1, and are absent where Cedar names no place. */
export interface DocumentFault {
  readonly message: string;
  readonly policyId?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A document that Gatehouse refuses to hold or to evaluate. */
export class DocumentError extends Error {
  readonly faults: readonly DocumentFault[];

  constructor(faults: readonly DocumentFault[]) {
    super(faults.map(describe).join('; '));
    this.name = 'DocumentError';
    this.faults = faults;
  }
}

/** The policies of a document by name: the `@id` annotation, else `policy<n>` in the order of the text. */
export type NamedPolicies = ReadonlyMap<string, string>;

/**
 * Splits a Cedar document into named policies. Cedar itself ignores `@id` when it numbers the policies of a text, so a
 * decision could not say which grant it rests on.
 *
 * @throws DocumentError for a text that does not parse, holds templates, or names two policies alike
 */
export function parseDocument(text: string): NamedPolicies {
  const parts = cedar.policySetTextToParts(text);
  if (parts.type === 'failure') throw new DocumentError(parts.errors.map((error) => faultOf(error, text, 0)));
  if (parts.policy_templates.length > 0)
    throw new DocumentError([{ message: 'templates with slots are not supported: write static policies' }]);
  const named = new Map<string, string>();
  const starts = startsOf(text, parts.policies);
  parts.policies.forEach((policy, index) => {
    const id = annotatedId(policy) ?? `policy${index}`;
    if (named.has(id))
      throw new DocumentError([
        {
          message: `two policies have the id ${JSON.stringify(id)}`,
          policyId: id,
          ...placeOf(text, starts[index] ?? 0),
        },
      ]);
    named.set(id, policy);
  });
  return named;
}

/**
 * Everything that strict validation against the published schema finds in a document; empty when it may be used.
 */
export function checkDocument(text: string, claims: ClaimMapping): readonly DocumentFault[] {
  let named: NamedPolicies;
  try {
    named = parseDocument(text);
  } catch (error) {
    if (error instanceof DocumentError) return error.faults;
    throw error;
  }
  const answer = cedar.validate({
    schema: schemaText(claims),
    policies: { staticPolicies: Object.fromEntries(named) },
    validationSettings: { mode: 'strict' },
  });
  if (answer.type === 'failure') return answer.errors.map((error) => faultOf(error, text, 0));
  const starts = new Map([...named.keys()].map((id, index) => [id, startsOf(text, [...named.values()])[index] ?? 0]));
  return answer.validationErrors.map(({ policyId, error }) => ({
    ...faultOf(error, text, starts.get(policyId) ?? 0),
    policyId,
  }));
}

function annotatedId(policy: string): string | undefined {
  const json = cedar.policyToJson(policy);
  if (json.type === 'failure') throw new DocumentError(json.errors.map((error) => faultOf(error, policy, 0)));
  return json.json.annotations?.['id'];
}

/** Where each policy begins in the text, in UTF-16 units; Cedar hands the policies back verbatim and in order. */
function startsOf(text: string, policies: readonly string[]): number[] {
  let from = 0;
  return policies.map((policy) => {
    const start = Math.max(text.indexOf(policy, from), from);
    from = start + policy.length;
    return start;
  });
}

function faultOf(error: cedar.DetailedError, text: string, base: number): DocumentFault {
  const label = error.sourceLocations?.[0];
  const detail = [error.message, label?.label, error.help].filter(Boolean).join(': ');
  if (label === undefined) return { message: detail };
  const within = Buffer.from(text.slice(base), 'utf8').subarray(0, label.start).toString('utf8').length;
  return { message: detail, ...placeOf(text, base + within) };
}

function placeOf(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function describe(fault: DocumentFault): string {
  return fault.line === undefined ? fault.message : `line ${fault.line}, column ${fault.column ?? 1}: ${fault.message}`;
}
