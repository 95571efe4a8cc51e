import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { type ClaimMapping, getAttribute } from './claims.ts';
import { callEngine } from './engine.ts';
import { readGrant } from './grants.ts';
import { findExcess, MAX_PATTERNS } from './limits.ts';
import { type Mention, type Mentions, collectMentions, countPatternCharacters } from './mentions.ts';
import type { NamedPolicies, ParsedPolicy } from './named-policies.ts';
import { formatSchema } from './schema.ts';

/** An error in a document with its position: line and column (UTF-16 units) count from 1. */
export interface DocumentFault {
  readonly message: string;
  readonly policyId?: string;
  readonly line: number;
  readonly column: number;
  /** Whether the document exceeds the limit of bytes. */
  readonly isTooLarge?: true;
}

/** The number of faults that a message lists. */
const MAX_LISTED_FAULTS = 5;

/** The document is not valid or exceeds a limit; `faults` list the reasons. */
export class DocumentError extends GatehouseError {
  override readonly code = 'invalid_policy_document';
  readonly faults: readonly DocumentFault[];

  constructor(faults: readonly DocumentFault[]) {
    super(formatFaults(faults));
    this.faults = faults;
  }
}

/** Writes the faults of a document as one message. */
export function formatFaults(faults: readonly DocumentFault[]): string {
  const listed = faults
    .slice(0, MAX_LISTED_FAULTS)
    .map((fault) => `line ${fault.line}, column ${fault.column}: ${fault.message}`);
  if (faults.length > MAX_LISTED_FAULTS) listed.push(`and ${faults.length - MAX_LISTED_FAULTS} more faults`);
  return listed.join('; ');
}

/**
 * Splits a Cedar document into named policies. Cedar numbers the policies of a text and ignores
 * `@id`, so its decisions about a whole text could not name the grants.
 *
 * @throws DocumentError for a text that exceeds a limit, does not parse, contains templates, or
 * contains two policies with the same id
 */
export function parseDocument(text: string): NamedPolicies {
  const excess = findExcess(text);
  if (excess !== undefined) {
    const { message, index, isSize } = excess;
    throw new DocumentError([{ message, ...getPosition(text, index), ...(isSize && { isTooLarge: true }) }]);
  }
  const parts = callEngine((engine) => engine.policySetTextToParts(text));
  if (parts.type === 'failure') throw new DocumentError(parts.errors.map((error) => toFault(error, text, 0)));
  const [template] = parts.policy_templates;
  if (template !== undefined)
    throw new DocumentError([
      {
        message: 'templates with slots are not supported; write static policies',
        ...getPosition(text, Math.max(text.indexOf(template), 0)),
      },
    ]);
  const named = new Map<string, ParsedPolicy>();
  let from = 0;
  let patterns = 0;
  for (const [index, policy] of parts.policies.entries()) {
    // Cedar returns the policies verbatim and in order.
    const start = Math.max(text.indexOf(policy, from), from);
    from = start + policy.length;
    const parsed = parsePolicy(policy, text, start);
    const { tree, grant } = parsed;
    const id = grant === undefined ? (tree?.annotations?.['id'] ?? `policy${index}`) : `grant-${grant.groupId}`;
    if (named.has(id))
      throw new DocumentError([
        { message: `two policies have the id ${JSON.stringify(id)}`, policyId: id, ...getPosition(text, start) },
      ]);
    named.set(id, parsed);
    patterns += countPatternCharacters(tree);
    if (patterns > MAX_PATTERNS)
      throw new DocumentError([
        {
          message: `the patterns of "like" have more than ${MAX_PATTERNS} characters together`,
          policyId: id,
          ...getPosition(text, start),
        },
      ]);
  }
  return named;
}

/** Parses one policy. Compiled grants need no call of Cedar: a document may hold a thousand. */
function parsePolicy(policy: string, text: string, start: number): ParsedPolicy {
  const grant = readGrant(policy);
  if (grant !== undefined) return { text: policy, start, grant };
  const converted = callEngine((engine) => engine.policyToJson(policy));
  if (converted.type === 'failure')
    throw new DocumentError(converted.errors.map((error) => toFault(error, text, start)));
  return { text: policy, start, tree: converted.json };
}

/** A user or group that a document mentions, with the position of the first mention. */
export interface LocatedMention extends Pick<DocumentFault, 'line' | 'column'> {
  readonly id: string;
}

/**
 * The faults of a document, and the users and groups that it mentions. The caller checks whether
 * these exist in the directory.
 */
export interface Examination {
  readonly faults: readonly DocumentFault[];
  readonly groups: readonly LocatedMention[];
  readonly users: readonly LocatedMention[];
}

/**
 * Checks whether a document may be the policy of a connector: limits, syntax, strict validation
 * against the published schema, mentions of other connectors, and mentions of claims without a
 * mapping. A document without faults is valid.
 */
export function examineDocument(text: string, connectorId: string, claims: ClaimMapping): Examination {
  let named: NamedPolicies;
  try {
    named = parseDocument(text);
  } catch (error) {
    if (error instanceof DocumentError) return { faults: error.faults, groups: [], users: [] };
    throw error;
  }
  const validated = callEngine((engine) =>
    engine.validate({
      schema: formatSchema(claims),
      policies: { staticPolicies: listTexts(new Map([...named].filter(([, { grant }]) => grant === undefined))) },
      validationSettings: { mode: 'strict' },
    }),
  );
  if (validated.type === 'failure')
    return { faults: validated.errors.map((error) => toFault(error, text, 0)), groups: [], users: [] };
  const mentions = collectMentions(named);
  const faults = validated.validationErrors.map(({ policyId, error }) => ({
    ...toFault(error, text, named.get(policyId)?.start ?? 0),
    policyId,
  }));
  return {
    faults: [...faults, ...listMentionFaults(text, named, mentions, connectorId, claims)].sort(
      (a, b) => a.line - b.line || a.column - b.column,
    ),
    groups: mentions.groups.map((mention) => ({ id: mention.id, ...findMention(text, named, mention) })),
    users: mentions.users.map((mention) => ({ id: mention.id, ...findMention(text, named, mention) })),
  };
}

/** The texts of policies by name, as Cedar accepts them. */
export const listTexts = (policies: ReadonlyMap<string, ParsedPolicy>): Record<string, string> =>
  Object.fromEntries([...policies].map(([id, { text }]) => [id, text]));

function listMentionFaults(
  text: string,
  named: NamedPolicies,
  mentions: Mentions,
  connectorId: string,
  claims: ClaimMapping,
): DocumentFault[] {
  const known = new Set(Object.keys(claims).map(getAttribute));
  const fault = (mention: Mention, message: string): DocumentFault => ({
    message,
    policyId: mention.policyId,
    ...findMention(text, named, mention),
  });
  return [
    ...mentions.connectors
      .filter(({ id }) => id !== connectorId)
      .map((mention) =>
        fault(
          mention,
          `the policy names Connector::${JSON.stringify(mention.id)}, but decides only about this connector`,
        ),
      ),
    ...mentions.attributes
      .filter(({ id }) => id.startsWith('claim_') && !known.has(id))
      .map((mention) => fault(mention, `${mention.id} has no mapping to a claim of the token`)),
    ...mentions.nestings.map((mention) =>
      fault(
        mention,
        `only "principal in" can ask for Group::${JSON.stringify(mention.id)}: policies know no other members`,
      ),
    ),
  ];
}

function findMention(text: string, named: NamedPolicies, { policyId, id }: Mention) {
  const policy = named.get(policyId);
  const start = policy?.start ?? 0;
  const within = [JSON.stringify(id), id].map((form) => policy?.text.indexOf(form) ?? -1).find((index) => index >= 0);
  return getPosition(text, start + (within ?? 0));
}

function toFault(error: cedar.DetailedError, text: string, base: number): DocumentFault {
  const label = error.sourceLocations?.[0];
  const message = [error.message, label?.label, error.help].filter(Boolean).join(': ');
  if (label === undefined) return { message, ...getPosition(text, base) };
  const within = Buffer.from(text.slice(base), 'utf8').subarray(0, label.start).toString('utf8').length;
  return { message, ...getPosition(text, base + within) };
}

function getPosition(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
