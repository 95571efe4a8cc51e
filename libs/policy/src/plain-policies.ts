import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { NamedPolicies, ParsedPolicy } from './named-policies.ts';

/** What a question is about, as far as plain policies can ask. Texts have whole code points. */
export interface Facts {
  readonly principal: Entity;
  readonly groupIds: ReadonlySet<string>;
  readonly claims: Readonly<Record<string, CedarValueJson>>;
  readonly action: Entity;
  readonly resource: Entity;
  /** The name or URI of the resource, by attribute. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The connector to which the resource belongs, or which it is. */
  readonly connectorId: string;
}

/** The names of the policies on which an answer rests. */
export interface PlainAnswer {
  readonly allowed: boolean;
  readonly reasons: readonly string[];
}

/** Something that has a type and an id. */
export class Entity {
  readonly type: string;
  readonly id: string;

  constructor(type: string, id: string) {
    this.type = type;
    this.id = id;
  }

  is(other: Entity): boolean {
    return this.type === other.type && this.id === other.id;
  }
}

/**
 * Items of a set, in which each is found as fast among thousands as among ten: people can be in as
 * many groups as a policy names.
 */
class Items {
  readonly all: readonly (Primitive | Entity)[];
  private hashed: ReadonlySet<unknown> | undefined;

  constructor(all: readonly (Primitive | Entity)[]) {
    this.all = all;
  }

  has(item: Primitive | Entity): boolean {
    if (item instanceof Entity || this.all.length <= FEW) return this.all.some((one) => same(one, item));
    this.hashed ??= new Set(this.all);
    return this.hashed.has(item);
  }
}

/** As many items are compared one by one. */
const FEW = 8;

/**
 * Cedar has to be asked: the answer is an error, or depends on more than what is understood here.
 */
class NotPlain extends GatehouseError {
  override readonly code = 'not_plain';
}

/**
 * Policies that only compare what a question is about: claims, names, memberships and constants.
 * They are decided here, since Cedar takes a hundred times as long to read a person and a resource
 * as these comparisons take. Whatever else Cedar knows is left to it: arithmetic, extensions,
 * records, the equality of sets, numbers that JavaScript cannot hold; and every error, so that
 * there is one wording of it. `differential.test.ts` shows that Cedar says the same.
 */
export class PlainPolicies {
  private readonly rules: readonly Rule[];

  private constructor(rules: readonly Rule[]) {
    this.rules = rules;
  }

  /** Undefined when one of them is not plain. */
  static of(policies: NamedPolicies): PlainPolicies | undefined {
    try {
      return new PlainPolicies([...policies].map(([name, policy]) => ruleOf(name, policy)));
    } catch (error) {
      if (error instanceof NotPlain) return undefined;
      throw error;
    }
  }

  /** Undefined when Cedar has to be asked. */
  decide(facts: Facts): PlainAnswer | undefined {
    const satisfied: Record<'permit' | 'forbid', string[]> = { permit: [], forbid: [] };
    try {
      for (const { name, effect, conditions } of this.rules)
        if (conditions.every((condition) => truth(condition(facts)))) satisfied[effect].push(name);
    } catch (error) {
      if (error instanceof NotPlain) return undefined;
      throw error;
    }
    const { permit, forbid } = satisfied;
    return forbid.length > 0
      ? { allowed: false, reasons: forbid.sort() }
      : { allowed: permit.length > 0, reasons: permit.sort() };
  }
}

/**
 * A policy: it applies where all its conditions hold, of which none is looked at behind one that
 * does not.
 */
interface Rule {
  name: string;
  effect: 'permit' | 'forbid';
  conditions: readonly Evaluation[];
}

type Primitive = boolean | number | string;
type Value = Primitive | Entity | Items;
type Evaluation = (facts: Facts) => Value;

function ruleOf(name: string, { tree }: ParsedPolicy): Rule {
  if (tree === undefined) throw new NotPlain();
  const scope = (['principal', 'action', 'resource'] as const).flatMap((one) => scopeOf(one, tree[one]));
  const conditions = tree.conditions.map(({ kind, body }) => (kind === 'when' ? body : { '!': { arg: body } }));
  return { name, effect: tree.effect, conditions: [...scope, ...conditions].map(compile) };
}

/** What a scope asks, as the expressions that ask the same. */
function scopeOf(name: string, scope: Scope): Node[] {
  const left = { Var: name };
  const uid = (entity: unknown) => ({ Value: { __entity: entity } });
  if (scope.op === 'All') return [];
  if (scope.op === 'is') {
    const inside = scope.in === undefined ? {} : { in: uid((scope.in as Scope).entity) };
    return [{ is: { left, entity_type: scope.entity_type, ...inside } }];
  }
  if (scope.entities !== undefined) return [{ in: { left, right: { Set: scope.entities.map(uid) } } }];
  return [{ [scope.op]: { left, right: uid(scope.entity) } }];
}

/** A constraint of Cedar's JSON. Slots of templates have no entity. */
interface Scope {
  op: string;
  entity?: unknown;
  entities?: readonly unknown[];
  entity_type?: string;
  in?: object;
}

/** An expression of Cedar's JSON: one operator, and what it works on. */
type Node = Readonly<Record<string, unknown>>;
interface Operands {
  left: Node;
  right: Node;
  arg: Node;
  attr: unknown;
  pattern: readonly unknown[];
  entity_type: string;
  in?: Node;
  if: Node;
  then: Node;
  else: Node;
}

function compile(node: Node): Evaluation {
  const [entry, ...more] = Object.entries(node);
  if (entry === undefined || more.length > 0) throw new NotPlain();
  const [operator, operands] = entry;
  const leaf = LEAVES.get(operator);
  if (leaf) return leaf(operands);
  const compiler = OPERATORS.get(operator);
  if (!compiler) throw new NotPlain();
  return compiler(operands as Operands);
}

const LEAVES: ReadonlyMap<string, (operand: unknown) => Evaluation> = new Map([
  ['Value', (value) => constant(valueOf(value))],
  [
    'Var',
    (name) => {
      if (name !== 'principal' && name !== 'action' && name !== 'resource') throw new NotPlain();
      return (facts) => facts[name];
    },
  ],
  [
    'Set',
    (operand) => {
      const nodes = operand as readonly Node[];
      if (nodes.every((node) => 'Value' in node))
        return constant(new Items(nodes.map((node) => valueOf(node['Value']))));
      const items = nodes.map(compile);
      return (facts) => new Items(items.map((item) => single(item(facts))));
    },
  ],
]);

const OPERATORS: ReadonlyMap<string, (operands: Operands) => Evaluation> = new Map([
  ['.', ({ left, attr }) => attribute(left, attr, (attributes, name) => plainValue(attributes, name))],
  ['has', ({ left, attr }) => attribute(left, attr, (attributes, name) => Object.hasOwn(attributes, name))],
  ['&&', binary((left, right, facts) => truth(left(facts)) && truth(right(facts)))],
  ['||', binary((left, right, facts) => truth(left(facts)) || truth(right(facts)))],
  [
    '!',
    ({ arg }) => {
      const asked = compile(arg);
      return (facts) => !truth(asked(facts));
    },
  ],
  [
    'if-then-else',
    (operands) => {
      const [asked, yes, no] = [compile(operands.if), compile(operands.then), compile(operands.else)];
      return (facts) => (truth(asked(facts)) ? yes(facts) : no(facts));
    },
  ],
  ['==', binary((left, right, facts) => equal(left(facts), right(facts)))],
  ['!=', binary((left, right, facts) => !equal(left(facts), right(facts)))],
  ['<', binary((left, right, facts) => long(left(facts)) < long(right(facts)))],
  ['<=', binary((left, right, facts) => long(left(facts)) <= long(right(facts)))],
  ['>', binary((left, right, facts) => long(left(facts)) > long(right(facts)))],
  ['>=', binary((left, right, facts) => long(left(facts)) >= long(right(facts)))],
  ['contains', binary((left, right, facts) => set(left(facts)).has(single(right(facts))))],
  [
    'containsAll',
    binary((left, right, facts) => {
      const held = set(left(facts));
      return set(right(facts)).all.every((item) => held.has(item));
    }),
  ],
  [
    'containsAny',
    binary((left, right, facts) => {
      const asked = set(left(facts));
      const held = set(right(facts));
      return asked.all.some((item) => held.has(item));
    }),
  ],
  [
    'isEmpty',
    ({ arg }) => {
      const asked = compile(arg);
      return (facts) => set(asked(facts)).all.length === 0;
    },
  ],
  [
    'like',
    ({ left, pattern }) => {
      const [asked, matches] = [compile(left), matcher(pattern)];
      return (facts) => {
        const text = asked(facts);
        if (typeof text !== 'string') throw new NotPlain();
        return matches(text);
      };
    },
  ],
  ['in', binary((left, right, facts) => isIn(left(facts), right(facts), facts))],
  [
    'is',
    ({ left, entity_type, in: inside }) => {
      const [asked, within] = [compile(left), inside === undefined ? undefined : compile(inside)];
      return (facts) => {
        const one = entity(asked(facts));
        return one.type === entity_type && (within === undefined || isIn(one, within(facts), facts));
      };
    },
  ],
]);

function binary(
  apply: (left: Evaluation, right: Evaluation, facts: Facts) => boolean,
): (operands: Operands) => Evaluation {
  return (operands) => {
    const [left, right] = [compile(operands.left), compile(operands.right)];
    return (facts) => apply(left, right, facts);
  };
}

const constant =
  (value: Value): Evaluation =>
  () =>
    value;

/** A constant of a policy. */
function valueOf(value: unknown): Primitive | Entity {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  // What lies beyond was rounded when the policy was read.
  if (Number.isSafeInteger(value)) return value as number;
  const { type, id } = (value as { __entity?: { type?: unknown; id?: unknown } } | null)?.__entity ?? {};
  if (typeof type === 'string' && typeof id === 'string') return new Entity(type, id);
  throw new NotPlain();
}

/** Something about an attribute of the principal or the resource: nothing else has any. */
function attribute(
  left: Node,
  name: unknown,
  about: (attributes: Readonly<Record<string, CedarValueJson>>, name: string) => Value,
): Evaluation {
  const { Var: whose } = left;
  if (typeof name !== 'string') throw new NotPlain();
  if (whose === 'principal') return ({ claims }) => about(claims, name);
  if (whose === 'resource') return ({ attributes }) => about(attributes, name);
  throw new NotPlain();
}

function plainValue(attributes: Readonly<Record<string, CedarValueJson>>, name: string): Value {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return new Items(value);
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  throw new NotPlain();
}

function truth(value: Value): boolean {
  if (typeof value !== 'boolean') throw new NotPlain();
  return value;
}

function long(value: Value): number {
  if (typeof value !== 'number') throw new NotPlain();
  return value;
}

function entity(value: Value): Entity {
  if (!(value instanceof Entity)) throw new NotPlain();
  return value;
}

function set(value: Value): Items {
  if (!(value instanceof Items)) throw new NotPlain();
  return value;
}

function single(value: Value): Primitive | Entity {
  if (value instanceof Items) throw new NotPlain();
  return value;
}

/** Values of different types differ, which is no error. */
function equal(left: Value, right: Value): boolean {
  return same(single(left), single(right));
}

const same = (left: Primitive | Entity, right: Primitive | Entity): boolean =>
  left instanceof Entity && right instanceof Entity ? left.is(right) : left === right;

/**
 * Whether something is one of these or belongs to it. Principals belong to groups, resources to
 * their connector, actions to nothing.
 */
function isIn(left: Value, right: Value, facts: Facts): boolean {
  const one = entity(left);
  const all = (right instanceof Items ? right.all : [right]).map(entity);
  if (!one.is(facts.principal) && !one.is(facts.resource) && !one.is(facts.action)) throw new NotPlain();
  return all.some((other) => one.is(other) || belongs(one, other, facts));
}

function belongs(one: Entity, { type, id }: Entity, { principal, groupIds, resource, connectorId }: Facts): boolean {
  if (type === 'Group') return one.is(principal) && groupIds.has(id);
  return type === 'Connector' && one.is(resource) && id === connectorId;
}

/**
 * Whether a text is as a pattern says. Each piece between two wildcards is sought once, from where
 * the one before it ended, so that nothing is tried twice.
 */
function matcher(pattern: readonly unknown[]): (text: string) => boolean {
  const pieces: string[] = [];
  let piece = '';
  for (const element of pattern) {
    if (element !== 'Wildcard') piece += literalOf(element);
    else {
      pieces.push(piece);
      piece = '';
    }
  }
  const [first, ...others] = pieces;
  const last = piece;
  if (first === undefined) return (text) => text === last;
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const piece of others) {
      const found = text.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

function literalOf(element: unknown): string {
  const { Literal: literal } = element as { Literal?: unknown };
  if (typeof literal !== 'string') throw new NotPlain();
  return literal;
}

/** Whether all texts consist of whole code points; a half one of UTF-16 has no form in UTF-8. */
export const hasWholeTexts = (values: readonly CedarValueJson[]): boolean =>
  values.every((value) => {
    if (typeof value === 'string') return value.isWellFormed();
    return !Array.isArray(value) || hasWholeTexts(value);
  });
