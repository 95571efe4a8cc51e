import { z } from 'zod';
import { schemaCheckedInTurns } from '../json/schema-check.ts';

/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = Record<string, unknown>;

type Side = 'input' | 'output';

const documentedAs = new WeakMap<object, z.ZodType>();

/**
 * Accepts any value and is documented as another schema. For batches whose items are judged one by
 * one.
 */
export const judgedLater = (schema: z.ZodType): z.ZodUnknown => {
  const unchecked = z.unknown();
  documentedAs.set(unchecked, schema);
  return unchecked;
};

/**
 * Turns zod schemas into the components of one document. A schema with `.meta({ id })` becomes the
 * component of that name; when what is accepted and what is answered differ under one name
 * (defaults, transforms), the accepted form is `<id>Input`.
 */
export class SchemaCollection {
  private readonly found: Record<Side, Map<string, JsonSchema>> = { input: new Map(), output: new Map() };

  /** The schema, or a reference to its component. References hold until `finish`. */
  convert(schema: z.ZodType, side: Side): JsonSchema {
    // Inside of a wrapper a named schema becomes a reference as everywhere else.
    const json = toJson(z.object({ it: schema }), side, (as) => this.convert(as, side));
    const definitions = (json['$defs'] ?? {}) as Record<string, JsonSchema>;
    for (const [name, definition] of Object.entries(definitions)) {
      const { id: _, ...rest } = definition;
      const earlier = this.found[side].get(name);
      if (earlier && JSON.stringify(earlier) !== JSON.stringify(marked(rest, side))) {
        throw new Error(`two different schemas have the id ${name}`);
      }
      this.found[side].set(name, marked(rest, side) as JsonSchema);
    }
    return marked((json['properties'] as Record<string, JsonSchema>)['it'] ?? {}, side) as JsonSchema;
  }

  /** The object schema itself, never a reference: its properties are parameters. */
  properties(schema: z.ZodType): { properties: Record<string, JsonSchema>; required: readonly string[] } {
    const converted = this.convert(schema, 'input');
    const named =
      typeof converted['$ref'] === 'string'
        ? this.found.input.get(converted['$ref'].split('/').at(-1) ?? '')
        : undefined;
    const { properties = {}, required = [] } = (named ?? converted) as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
    };
    return { properties, required };
  }

  /** The document with its components, all references resolved, names in order. */
  finish<T extends object>(document: T): T & { components: { schemas: Record<string, JsonSchema> } } {
    const inputNames = new Map(
      [...this.found.input].map(([name, schema]) => [name, this.differs(name, schema) ? `${name}Input` : name]),
    );
    const components: Record<string, JsonSchema> = Object.fromEntries(this.found.output);
    for (const [name, schema] of this.found.input) components[inputNames.get(name) ?? name] = schema;
    const sorted = Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
    const used = reachable(document, sorted, (ref) => nameOf(ref, inputNames));
    const schemas = Object.fromEntries(Object.entries(sorted).filter(([name]) => used.has(name)));
    return rewritten(
      { ...document, components: { ...(document as { components?: object }).components, schemas } },
      (ref) => `#/components/schemas/${nameOf(ref, inputNames)}`,
    ) as T & { components: { schemas: Record<string, JsonSchema> } };
  }

  /** Whether the accepted form of a component (or of one below it) is not the answered form. */
  private differs(name: string, input: JsonSchema, seen = new Set<string>()): boolean {
    const output = this.found.output.get(name);
    if (!output || seen.has(name)) return false;
    seen.add(name);
    const plain = (schema: JsonSchema) => JSON.stringify(rewritten(schema, (ref) => ref.split('/').at(-1) ?? ''));
    if (plain(input) !== plain(output)) return true;
    return refsIn(input).some((ref) => {
      const below = ref.split('/').at(-1) ?? '';
      return this.differs(below, this.found.input.get(below) ?? {}, seen);
    });
  }
}

function toJson(schema: z.ZodType, io: Side, convert: (schema: z.ZodType) => JsonSchema): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const json = jsonSchema as JsonSchema;
      const as = documentedAs.get(zodSchema) ?? schemaCheckedInTurns(zodSchema);
      if (as) Object.assign(json, convert(as));
      // An answer may grow; only what was declared strict says that there is nothing else.
      if (zodSchema._zod.def.type === 'object' && !('catchall' in zodSchema._zod.def && zodSchema._zod.def.catchall))
        delete json['additionalProperties'];
      const { override } = json;
      if (override !== null && typeof override === 'object') {
        const { description } = json;
        for (const key of Object.keys(json)) Reflect.deleteProperty(json, key);
        Object.assign(json, override, description !== undefined && { description });
      }
      delete json['secret'];
      for (const part of [json, ...((json['allOf'] ?? []) as JsonSchema[])])
        if (typeof part['pattern'] === 'string') shortenPattern(part, part['pattern']);
    },
  });
}

/** Patterns of the formats that zod checks; undefined where the format says all. */
const FORMAT_PATTERNS: ReadonlyMap<unknown, string | undefined> = new Map([
  ['date-time', 'Z$'],
  ['date', undefined],
  ['uuid', undefined],
]);

/**
 * Makes a pattern portable. For a format that JSON Schema defines, zod adds a pattern of up to 250
 * characters, which repeats the format; the document keeps only what goes beyond it.
 */
function shortenPattern(schema: JsonSchema, pattern: string): void {
  const isFormat = FORMAT_PATTERNS.has(schema['format']);
  const short = isFormat ? FORMAT_PATTERNS.get(schema['format']) : portablePattern(pattern);
  if (short === undefined) delete schema['pattern'];
  else schema['pattern'] = short;
}

/**
 * A pattern without Unicode property classes, which Python and other readers of the document
 * refuse. The document needs no class for surrogates (Cs): JSON text never holds half a pair.
 * @throws Error for a property class that has no range here
 */
function portablePattern(pattern: string): string {
  const portable = pattern.replaceAll(/\\p\{(\w+)\}/g, (whole, name: string) => RANGES[name] ?? whole);
  if (/\\p\{/i.test(portable)) throw new Error(`no range is known for a class in the pattern ${pattern}`);
  return portable;
}

const RANGES: Readonly<Record<string, string>> = {
  Cc: String.raw`\u0000-\u001f\u007f-\u009f`,
  Cs: '',
  Zl: String.raw`\u2028`,
  Zp: String.raw`\u2029`,
};

/** References of the two sides are kept apart until it is known whether they are the same. */
const marked = (value: unknown, side: Side): unknown => rewritten(value, (ref) => ref.replace('#/$defs/', `#${side}/`));

function nameOf(ref: string, inputNames: ReadonlyMap<string, string>): string {
  const name = ref.split('/').at(-1) ?? '';
  return ref.startsWith('#input/') ? (inputNames.get(name) ?? name) : name;
}

function rewritten(value: unknown, rename: (ref: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, rename));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === '$ref' && typeof part === 'string' ? rename(part) : rewritten(part, rename),
    ]),
  );
}

function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [part] : refsIn(part),
  );
}

function reachable(
  document: object,
  components: Record<string, JsonSchema>,
  nameOfRef: (ref: string) => string,
): Set<string> {
  const used = new Set<string>();
  const waiting = refsIn(document).map(nameOfRef);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    waiting.push(...refsIn(components[name]).map(nameOfRef));
  }
  return used;
}
