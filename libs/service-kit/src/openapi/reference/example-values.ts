import { createHash } from 'node:crypto';
import { type FieldExamples, fieldValues, type Place } from './field-values.ts';

/** A JSON Schema (2020-12). */
type Schema = Readonly<Record<string, unknown>>;

/** Maximum depth of an example, since a schema can contain itself. */
const MAX_DEPTH = 12;

/**
 * Generates example values for the schemas of one document. A schema at one place always gets the
 * same value, and every value matches its schema. The `examples` of a schema come first, then its
 * constants and defaults, then values for the name of the field.
 */
export class ExampleValues {
  /** @param fields example texts of the service by name of the field or `noun.field` */
  constructor(
    private readonly components: Readonly<Record<string, Schema>>,
    private readonly fields: FieldExamples = {},
  ) {}

  /** A value for the schema, or undefined if no known value matches it. */
  of(schema: unknown, place: Place, depth = 0): unknown {
    if (schema === true || schema === undefined) return 'text';
    if (depth > MAX_DEPTH || typeof schema !== 'object' || schema === null) return undefined;
    const node = schema as Schema;
    if (typeof node['$ref'] === 'string') return this.ofReference(node['$ref'], place, depth);
    if (Array.isArray(node['examples']) && node['examples'].length > 0) return node['examples'][0] as unknown;
    if ('const' in node) return node['const'];
    if (Array.isArray(node['enum'])) return this.selectChoice(node['enum'], place);
    const variants = node['anyOf'] ?? node['oneOf'];
    if (Array.isArray(variants)) return this.ofVariants(variants, place, depth);
    if (Array.isArray(node['allOf'])) return this.ofAll(node, node['allOf'], place, depth);
    return this.ofType(node, place, depth);
  }

  private ofReference(reference: string, place: Place, depth: number): unknown {
    const name = reference.split('/').at(-1) ?? '';
    return this.of(this.components[name], { name: place.name, noun: deriveNoun(name) }, depth + 1);
  }

  private ofVariants(variants: readonly unknown[], place: Place, depth: number): unknown {
    for (const variant of variants) {
      if ((variant as Schema)['type'] === 'null') continue;
      const value = this.of(variant, place, depth + 1);
      if (value !== undefined) return value;
    }
    return variants.some((variant) => (variant as Schema)['type'] === 'null') ? null : undefined;
  }

  private ofAll(node: Schema, parts: readonly unknown[], place: Place, depth: number): unknown {
    const { allOf: _, ...own } = node;
    const values = [own, ...parts].map((part) => this.of(part, place, depth + 1));
    return values.every((value) => typeof value === 'object' && value !== null)
      ? (Object.assign({}, ...values) as unknown)
      : values.find((value) => value !== undefined);
  }

  private ofType(node: Schema, place: Place, depth: number): unknown {
    const types = [node['type'] ?? (node['properties'] ? 'object' : undefined)].flat();
    switch (types.find((type) => type !== 'null')) {
      case 'object':
        return this.ofObject(node, place, depth);
      case 'array':
        return this.ofArray(node, place, depth);
      case 'string':
        return this.textFor(node, place);
      case 'integer':
      case 'number':
        return this.numberFor(node, place);
      case 'boolean':
        return 'default' in node ? node['default'] : true;
      default:
        return types.includes('null') ? null : (node['default'] ?? this.valuesFor(place)[0] ?? 'text');
    }
  }

  private ofObject(node: Schema, place: Place, depth: number): unknown {
    const properties = (node['properties'] ?? {}) as Record<string, Schema>;
    const required = new Set((node['required'] ?? []) as string[]);
    const made: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(properties)) {
      if (!required.has(name) && saysLittle(name, property, depth)) continue;
      const value = this.of(property, { name, noun: place.noun }, depth + 1);
      if (value !== undefined) made[name] = value;
      else if (required.has(name)) return undefined;
    }
    const others = node['additionalProperties'];
    if (Object.keys(properties).length > 0 || others === undefined || others === false) return made;
    const key = this.textFor((node['propertyNames'] ?? {}) as Schema, { name: `${place.name} key`, noun: place.noun });
    const value = this.of(others, { name: key ?? '', noun: place.noun }, depth + 1);
    return key === undefined || value === undefined ? made : { [key]: value };
  }

  private valuesFor(place: Place): readonly string[] {
    return fieldValues(place, this.fields);
  }

  private textFor(node: Schema, place: Place): string | undefined {
    return textsFor(node, place, this.valuesFor(place)).find((text) => hasForm(text, node));
  }

  /** The choice for the name of the field, else the first. */
  private selectChoice(choices: readonly unknown[], place: Place): unknown {
    return this.valuesFor(place).find((value) => choices.includes(value)) ?? choices[0];
  }

  private numberFor(node: Schema, place: Place): number {
    if (typeof node['default'] === 'number') return node['default'];
    const { minimum, maximum, exclusiveMinimum } = node as Record<string, number | undefined>;
    const least = minimum ?? (exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1);
    const wished = Number(this.valuesFor(place).find((text) => /^\d+$/.test(text)) ?? 3);
    return Math.min(Math.max(wished, least), maximum ?? Infinity);
  }

  private ofArray(node: Schema, place: Place, depth: number): unknown {
    const smallest = (node['minItems'] ?? 0) as number;
    const singular = { name: toSingular(place.name), noun: toSingular(place.name) };
    const item = this.of(node['items'], singular, depth + 1);
    if (item === undefined) return smallest === 0 ? [] : undefined;
    return Array.from({ length: Math.max(1, smallest) }, () => item);
  }
}

/**
 * Optional fields that would only lengthen an example: those of later pages, those of failures, and
 * lists within the items of lists.
 */
const saysLittle = (name: string, property: Schema, depth: number): boolean =>
  /^prev_|^error$/.test(name) || (depth > 1 && property['type'] === 'array');

/**
 * The thing that a component describes: `GroupCreate` -> `group`, `ManagedSecretPage` -> `secret`.
 */
const deriveNoun = (component: string): string => {
  const bare = component.replace(/(?:Write|Create|Patch|Update|Input|Page|List|Ref|Record|Answer|Batch)+$/, '');
  const word = (/[A-Z]?[a-z0-9]+$/.exec(bare)?.[0] ?? component).toLowerCase();
  return ALIASES[word] ?? word;
};

const ALIASES: Readonly<Record<string, string>> = { member: 'user', profile: 'user', person: 'user' };

/** `policies` -> `policy`, `groups` -> `group`. */
export const toSingular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : /[^su]s$/.test(word) ? word.slice(0, -1) : word;

/**
 * A UUID (in the form of version 7) that is always the same for a noun, so that the examples of a
 * document name the same objects.
 */
const deriveId = (noun: string): string => {
  const hex = createHash('sha256').update(noun).digest('hex');
  return `0197a3c2-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-a${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
};

/** Texts for a string schema, best first. The schema can refuse some of them. */
function textsFor(node: Schema, { name, noun }: Place, own: readonly string[]): readonly string[] {
  const named = /^(?:(.+?)_)?ids?$/i.exec(name);
  const subject = named?.[1] ?? noun;
  const id = deriveId(subject.replace(/^(?:before|after|parent|created_by)_/, ''));
  const byFormat: Record<string, readonly string[]> = {
    uuid: [id],
    'date-time': [...own, '2026-03-02T09:30:00Z', '2026-03-02T09:30:00.000Z'],
    date: [...own.filter((text) => /^\d{4}-\d\d-\d\d$/.test(text)), '2026-03-02'],
    email: ['alice@example.com'],
    uri: [...own, 'https://example.com/'],
  };
  const format = node['format'];
  const known = typeof format === 'string' ? byFormat[format] : undefined;
  const preset = typeof node['default'] === 'string' && node['default'] !== '' ? [node['default']] : [];
  return known ?? [...preset, ...own, ...(named ? [id] : []), ...PLAIN, id];
}

/** Texts that match many patterns, for unknown names of fields. */
const PLAIN: readonly string[] = [
  'text',
  'example',
  '1',
  'a1b2c3d4',
  '12.500000000',
  'https://example.com/',
  '/example',
  'EXAMPLE',
  '2026-03',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
  '9f86d081884c',
  'a long text for a place where a short one is not enough',
];

function hasForm(text: string, node: Schema): boolean {
  const {
    pattern,
    minLength = 0,
    maxLength = Infinity,
  } = node as {
    pattern?: string;
    minLength?: number;
    maxLength?: number;
  };
  const length = Array.from(text).length;
  return length >= minLength && length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(text));
}
