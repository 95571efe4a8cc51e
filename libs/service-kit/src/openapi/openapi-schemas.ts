import { z } from 'zod';
import { schemaCheckedInTurns } from '../json/schema-check.ts';

/** A JSON Schema (2020-12) of an OpenAPI 3.1 document. */
export type JsonSchema = Record<string, unknown>;

type Side = 'input' | 'output';

const documentedAs = new WeakMap<object, z.ZodType>();

/**
 * A schema that accepts any value but is documented as another schema. For batches whose items are
 * checked separately.
 */
export const createUncheckedSchema = (schema: z.ZodType): z.ZodUnknown => {
  const unchecked = z.unknown();
  documentedAs.set(unchecked, schema);
  return unchecked;
};

/**
 * Converts zod schemas to the components of one document. A schema with `.meta({ id })` becomes the
 * component of that name. If its input differs from its output (defaults, transforms), the input is
 * the component `<id>Input`.
 */
export class SchemaCollection {
  private readonly found: Record<Side, Map<string, JsonSchema>> = { input: new Map(), output: new Map() };

  /** Returns the schema, or a reference to its component. `finish` replaces the references. */
  convert(schema: z.ZodType, side: Side): JsonSchema {
    // A named schema inside a wrapper becomes a reference.
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

  /** Returns the properties of an object schema, which are parameters. */
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

  /** Adds the sorted components to a document and resolves all references. */
  finish<T extends object>(document: T): T & { components: { schemas: Record<string, JsonSchema> } } {
    const inputNames = new Map(
      [...this.found.input].map(([name, schema]) => [name, this.differs(name, schema) ? `${name}Input` : name]),
    );
    const components: Record<string, JsonSchema> = Object.fromEntries(this.found.output);
    for (const [name, schema] of this.found.input) components[inputNames.get(name) ?? name] = schema;
    const sorted = Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
    const used = reachable(document, sorted, (ref) => getSchemaName(ref, inputNames));
    const schemas = Object.fromEntries(Object.entries(sorted).filter(([name]) => used.has(name)));
    return rewritten(
      { ...document, components: { ...(document as { components?: object }).components, schemas } },
      (ref) => `#/components/schemas/${getSchemaName(ref, inputNames)}`,
    ) as T & { components: { schemas: Record<string, JsonSchema> } };
  }

  /** Whether the input of a component, or of one inside it, differs from the output. */
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
      // Later versions may add members to an object, unless it is declared strict.
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

/** The additional pattern of each format that zod checks. */
const FORMAT_PATTERNS: ReadonlyMap<unknown, string | undefined> = new Map([
  ['date-time', 'Z$'],
  ['date', undefined],
  ['uuid', undefined],
]);

/**
 * Makes a pattern portable. For a format of JSON Schema, zod adds a pattern of up to 250 characters
 * that repeats the format; the document has only the additional pattern.
 */
function shortenPattern(schema: JsonSchema, pattern: string): void {
  const isFormat = FORMAT_PATTERNS.has(schema['format']);
  const short = isFormat ? FORMAT_PATTERNS.get(schema['format']) : portablePattern(pattern);
  if (short === undefined) delete schema['pattern'];
  else schema['pattern'] = short;
}

/**
 * Replaces Unicode property classes in a pattern, since Python and other readers of the document
 * refuse them. Surrogates (Cs) need no range: a JSON text has no half of a surrogate pair.
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

/** Marks references as input or output until `finish`. */
const marked = (value: unknown, side: Side): unknown => rewritten(value, (ref) => ref.replace('#/$defs/', `#${side}/`));

function getSchemaName(ref: string, inputNames: ReadonlyMap<string, string>): string {
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
