import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { type ClaimMapping, attributeOf } from './claims.ts';
import { ask } from './engine.ts';
import { readGrant } from './grants.ts';
import { excessOf, MAX_PATTERNS } from './limits.ts';
import { type Mention, type Mentions, mentionsOf, patternsIn } from './mentions.ts';
import type { NamedPolicies, ParsedPolicy } from './named-policies.ts';
import { schemaText } from './schema.ts';

/** What is wrong with a document and where: line and column (UTF-16 units) count from 1. */
export interface DocumentFault {
  readonly message: string;
  readonly policyId?: string;
  readonly line: number;
  readonly column: number;
  /** Whether the document has too many bytes. */
  readonly isTooLarge?: true;
}

/** Faults that a sentence tells; of a thousand the first ones help. */
const TOLD_FAULTS = 5;

/** A document that Gatehouse refuses to hold or to evaluate. */
export class DocumentError extends GatehouseError {
  override readonly code = 'invalid_policy_document';
  readonly faults: readonly DocumentFault[];

  constructor(faults: readonly DocumentFault[]) {
    super(sentenceOf(faults));
    this.faults = faults;
  }
}

/** The faults of a document in one sentence. */
export function sentenceOf(faults: readonly DocumentFault[]): string {
  const told = faults
    .slice(0, TOLD_FAULTS)
    .map((fault) => `line ${fault.line}, column ${fault.column}: ${fault.message}`);
  if (faults.length > TOLD_FAULTS) told.push(`and ${faults.length - TOLD_FAULTS} more faults`);
  return told.join('; ');
}

/**
 * Splits a Cedar document into named policies. Cedar itself ignores `@id` when it numbers the
 * policies of a text, so a decision could not say which grant it rests on.
 *
 * @throws DocumentError for a text that is too large or nested too deep, does not parse, holds
 * templates, or names two policies alike
 */
export function parseDocument(text: string): NamedPolicies {
  const excess = excessOf(text);
  if (excess !== undefined) {
    const { message, index, isSize } = excess;
    throw new DocumentError([{ message, ...placeOf(text, index), ...(isSize && { isTooLarge: true }) }]);
  }
  const parts = ask((engine) => engine.policySetTextToParts(text));
  if (parts.type === 'failure') throw new DocumentError(parts.errors.map((error) => faultOf(error, text, 0)));
  const [template] = parts.policy_templates;
  if (template !== undefined)
    throw new DocumentError([
      {
        message: 'templates with slots are not supported: write static policies',
        ...placeOf(text, Math.max(text.indexOf(template), 0)),
      },
    ]);
  const named = new Map<string, ParsedPolicy>();
  let from = 0;
  let patterns = 0;
  for (const [index, policy] of parts.policies.entries()) {
    // Cedar hands the policies back verbatim and in order.
    const start = Math.max(text.indexOf(policy, from), from);
    from = start + policy.length;
    const parsed = parsePolicy(policy, text, start);
    const { tree, grant } = parsed;
    const id = grant === undefined ? (tree?.annotations?.['id'] ?? `policy${index}`) : `grant-${grant.groupId}`;
    if (named.has(id))
      throw new DocumentError([
        { message: `two policies have the id ${JSON.stringify(id)}`, policyId: id, ...placeOf(text, start) },
      ]);
    named.set(id, parsed);
    patterns += patternsIn(tree);
    if (patterns > MAX_PATTERNS)
      throw new DocumentError([
        {
          message: `the patterns of "like" have more than ${MAX_PATTERNS} characters together`,
          policyId: id,
          ...placeOf(text, start),
        },
      ]);
  }
  return named;
}

/**
 * What a compiled grant says is known; there may be a thousand of them, and each would cost Cedar
 * as much as any other policy.
 */
function parsePolicy(policy: string, text: string, start: number): ParsedPolicy {
  const grant = readGrant(policy);
  if (grant !== undefined) return { text: policy, start, grant };
  const answer = ask((engine) => engine.policyToJson(policy));
  if (answer.type === 'failure') throw new DocumentError(answer.errors.map((error) => faultOf(error, text, start)));
  return { text: policy, start, tree: answer.json };
}

/** Somebody that a document names, and where it does so first. */
export interface Named extends Pick<DocumentFault, 'line' | 'column'> {
  readonly id: string;
}

/**
 * What is wrong with a document, and whom of the directory it names; only somebody who knows the
 * directory can tell whether they exist.
 */
export interface Examination {
  readonly faults: readonly DocumentFault[];
  readonly groups: readonly Named[];
  readonly users: readonly Named[];
}

/**
 * Everything that keeps a document from being the policy of a connector: limits, syntax, strict
 * validation against the published schema, and what it says about another connector or about claims
 * that are not mapped. No faults: it may be used.
 */
export function examineDocument(text: string, connectorId: string, claims: ClaimMapping): Examination {
  let named: NamedPolicies;
  try {
    named = parseDocument(text);
  } catch (error) {
    if (error instanceof DocumentError) return { faults: error.faults, groups: [], users: [] };
    throw error;
  }
  const answer = ask((engine) =>
    engine.validate({
      schema: schemaText(claims),
      policies: { staticPolicies: textsOf(new Map([...named].filter(([, { grant }]) => grant === undefined))) },
      validationSettings: { mode: 'strict' },
    }),
  );
  if (answer.type === 'failure')
    return { faults: answer.errors.map((error) => faultOf(error, text, 0)), groups: [], users: [] };
  const found = mentionsOf(named);
  const faults = answer.validationErrors.map(({ policyId, error }) => ({
    ...faultOf(error, text, named.get(policyId)?.start ?? 0),
    policyId,
  }));
  return {
    faults: [...faults, ...foreign(text, named, found, connectorId, claims)].sort(
      (a, b) => a.line - b.line || a.column - b.column,
    ),
    groups: found.groups.map((mention) => ({ id: mention.id, ...placeOfMention(text, named, mention) })),
    users: found.users.map((mention) => ({ id: mention.id, ...placeOfMention(text, named, mention) })),
  };
}

/** Policies by name as the engine takes them. */
export const textsOf = (policies: ReadonlyMap<string, ParsedPolicy>): Record<string, string> =>
  Object.fromEntries([...policies].map(([id, { text }]) => [id, text]));

function foreign(
  text: string,
  named: NamedPolicies,
  found: Mentions,
  connectorId: string,
  claims: ClaimMapping,
): DocumentFault[] {
  const known = new Set(Object.keys(claims).map(attributeOf));
  const fault = (mention: Mention, message: string): DocumentFault => ({
    message,
    policyId: mention.policyId,
    ...placeOfMention(text, named, mention),
  });
  return [
    ...found.connectors
      .filter(({ id }) => id !== connectorId)
      .map((mention) =>
        fault(
          mention,
          `the policy names Connector::${JSON.stringify(mention.id)}, but decides about this connector alone`,
        ),
      ),
    ...found.attributes
      .filter(({ id }) => id.startsWith('claim_') && !known.has(id))
      .map((mention) => fault(mention, `${mention.id} is no claim that policies can speak about`)),
    ...found.nestings.map((mention) =>
      fault(
        mention,
        `only "principal in" can ask for Group::${JSON.stringify(mention.id)}: policies know no other members`,
      ),
    ),
  ];
}

function placeOfMention(text: string, named: NamedPolicies, { policyId, id }: Mention) {
  const policy = named.get(policyId);
  const start = policy?.start ?? 0;
  const within = [JSON.stringify(id), id].map((form) => policy?.text.indexOf(form) ?? -1).find((index) => index >= 0);
  return placeOf(text, start + (within ?? 0));
}

function faultOf(error: cedar.DetailedError, text: string, base: number): DocumentFault {
  const label = error.sourceLocations?.[0];
  const message = [error.message, label?.label, error.help].filter(Boolean).join(': ');
  if (label === undefined) return { message, ...placeOf(text, base) };
  const within = Buffer.from(text.slice(base), 'utf8').subarray(0, label.start).toString('utf8').length;
  return { message, ...placeOf(text, base + within) };
}

function placeOf(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
