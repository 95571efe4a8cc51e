import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';

/** The facts on which the decisions of policies depend. */
export interface PolicyFacts {
  /** The attributes that policies use; undefined: all, for a policy with a whole record. */
  readonly attributes: ReadonlySet<string> | undefined;
  /** Attributes that policies compare with patterns. */
  readonly matched: ReadonlySet<string>;
  /** The entities that policies name. */
  readonly entities: readonly cedar.TypeAndId[];
}

/** Collects the facts from the syntax trees of policies. */
export function collectFacts(trees: readonly cedar.PolicyJson[]): PolicyFacts {
  const found = { attributes: new Set<string>(), matched: new Set<string>(), entities: new Map(), isWhole: false };
  for (const tree of trees) walk(tree, found);
  return {
    attributes: found.isWhole ? undefined : found.attributes,
    matched: found.matched,
    entities: [...found.entities.values()],
  };
}

interface Found {
  readonly attributes: Set<string>;
  readonly matched: Set<string>;
  readonly entities: Map<string, cedar.TypeAndId>;
  /** Whether the context is used other than by its attributes. */
  isWhole: boolean;
}

function walk(node: unknown, found: Found): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, id, attr, left, Var: variable } = node as Record<string, unknown>;
  if (typeof type === 'string' && typeof id === 'string') found.entities.set(JSON.stringify([type, id]), { type, id });
  if (variable === 'context') found.isWhole = true;
  for (const name of listNames(attr)) found.attributes.add(name);
  for (const [key, value] of Object.entries(node)) {
    // The attribute of a variable is not a use of the whole record.
    if (key === 'left' && attr !== undefined && isVariable(left)) continue;
    if (key === 'like') for (const name of collectNames(value)) found.matched.add(name);
    walk(value, found);
  }
}

const isVariable = (node: unknown): boolean => typeof node === 'object' && node !== null && 'Var' in node;

const listNames = (attr: unknown): string[] => [attr].flat().filter((name) => typeof name === 'string');

/** The names of all attributes in a part of a tree. */
function collectNames(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { attr } = node as { attr?: unknown };
  return [...listNames(attr), ...Object.values(node).flatMap(collectNames)];
}
