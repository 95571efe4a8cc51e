// Generates the classes of libs/contracts/<service>: one for each object component of an OpenAPI
// document. src/validation.ts contains them with the rules of class-validator. src/dto.ts exports
// the same classes and adds the descriptions of @nestjs/swagger.
import type { OpenAPI3 } from 'openapi-typescript';

/** The keywords of JSON Schema that the documents of the services use. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

const REFERENCE = '#/components/schemas/';
const GENERATED = '// Generated from openapi.json by `npm run contracts`. Do not edit.\n';

/** The content of src/dto-rules.ts of each service: rules that class-validator does not have. */
export const DTO_RULES = `${GENERATED}import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { ValidateBy, ValidateIf, validateSync } from 'class-validator';

type Check = (value: unknown) => boolean;

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is an object that conforms to a class. */
export const isValid = (type: ClassConstructor<object>, value: unknown): boolean =>
  isObject(value) && validateSync(plainToInstance(type, value)).length === 0;

/** Applies the other rules of a property to all values except these. */
export const UnlessOneOf = (...absent: unknown[]): PropertyDecorator =>
  ValidateIf((_, value) => !absent.includes(value));

/** Requires an object whose values all pass the check. */
export const EveryValue = (check: Check): PropertyDecorator =>
  ValidateBy({
    name: 'everyValue',
    validator: {
      validate: (value) => isObject(value) && Object.values(value).every(check),
      defaultMessage: (given) => \`\${given?.property ?? 'value'} must be an object with valid values\`,
    },
  });

/** Requires a value that passes one of the checks. */
export const AnyOf = (...checks: Check[]): PropertyDecorator =>
  ValidateBy({
    name: 'anyOf',
    validator: {
      validate: (value) => checks.some((check) => check(value)),
      defaultMessage: (given) => \`\${given?.property ?? 'value'} must have one of the documented forms\`,
    },
  });
`;

const MODULES: Record<string, readonly string[]> = {
  'class-transformer': ['Type'],
  './dto-rules.ts': ['AnyOf', 'EveryValue', 'UnlessOneOf', 'isObject', 'isValid'],
};

const DESCRIBE = `/** Adds the descriptions of its members to a class. */
function describeMembers(type: { prototype: object }, members: Record<string, ApiPropertyOptions>): void {
  for (const [name, options] of Object.entries(members)) ApiProperty(options)(type.prototype, name);
}
`;

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
const literal = (value: unknown): string => JSON.stringify(value);
const isClass = (schema: Schema): boolean => schema.type === 'object' && schema.properties !== undefined;

/** The two modules of one document. */
export interface DtoModules {
  /** The classes with their rules. */
  validation: string;
  /** The descriptions of the classes. */
  dto: string;
}

/** Writes the classes of one document. */
class DtoWriter {
  private readonly classes: string[] = [];
  private readonly names: string[] = [];
  private readonly descriptions: string[] = [];
  private readonly added = new Set<string>();

  private readonly schemas: Record<string, Schema>;

  constructor(schemas: Record<string, Schema>) {
    this.schemas = schemas;
  }

  write(): DtoModules {
    for (const name of Object.keys(this.schemas)) this.addComponent(name);
    return { validation: this.validationModule(), dto: this.dtoModule() };
  }

  private validationModule(): string {
    const body = this.classes.join('\n');
    const imports = Object.entries(MODULES).flatMap(([module, names]) => {
      const used = names.filter((name) => new RegExp(`\\b${name}\\(`).test(body));
      return used.length === 0 ? [] : [`import { ${used.join(', ')} } from '${module}';`];
    });
    return [
      `${GENERATED}import 'reflect-metadata';`,
      ...imports,
      "import * as rules from 'class-validator';",
      "import type { components } from './schema.ts';",
      "\ntype Schemas = components['schemas'];",
      `\n${body}`,
    ].join('\n');
  }

  private dtoModule(): string {
    const body = this.descriptions.join('\n');
    const used = ['ApiExtraModels', 'getSchemaPath'].filter((name) => body.includes(`${name}(`));
    const imports = ['ApiProperty', 'type ApiPropertyOptions', ...used];
    return [
      `${GENERATED}import { ${imports.join(', ')} } from '@nestjs/swagger';`,
      `import {\n${this.names.map((name) => `  ${name},\n`).join('')}} from './validation.ts';`,
      "\nexport * from './validation.ts';\n",
      DESCRIBE,
      body,
    ].join('\n');
  }

  /** Adds the class of a component after the classes that it uses. @returns its name */
  private addComponent(name: string): string {
    const schema = this.schemas[name];
    if (schema !== undefined && isClass(schema) && !this.added.has(name)) {
      this.added.add(name);
      this.addClass(`${name}Dto`, schema, `Schemas[${literal(name)}]`);
    }
    return `${name}Dto`;
  }

  private addClass(name: string, schema: Schema, type: string): void {
    const required = new Set(schema.required);
    const members = Object.entries(schema.properties ?? {}).map(([key, member]) =>
      this.property(name, key, this.resolved(member), required.has(key), type),
    );
    // The document contains these classes only with ApiExtraModels.
    const extra = [
      ...new Set(members.flatMap(({ options, models }) => (options.includes('getSchemaPath(') ? models : []))),
    ];
    const text = members.map((member) => member.text).join('\n\n');
    this.classes.push(`${comment(schema.description)}export class ${name} {\n${text}\n}\n`);
    this.names.push(name);
    if (extra.length > 0) this.descriptions.push(`ApiExtraModels(${extra.join(', ')})(${name});`);
    const options = members.map((member) => `  ${member.key}: { ${member.options} },\n`).join('');
    this.descriptions.push(`describeMembers(${name}, {\n${options}});`);
  }

  /** Resolves references to schemas without a class, and merges \`allOf\`. */
  private resolved(schema: Schema): Schema {
    if (schema.$ref !== undefined) {
      const target = this.target(schema.$ref);
      return isClass(target) ? schema : this.resolved(target);
    }
    if (schema.allOf === undefined) return schema;
    const { allOf, ...rest } = schema;
    return Object.assign({}, ...allOf.map((part) => this.resolved(part)), rest) as Schema;
  }

  private target(reference: string): Schema {
    const target = this.schemas[reference.slice(REFERENCE.length)];
    if (target === undefined) throw new Error(`The document does not contain ${reference}.`);
    return target;
  }

  private property(owner: string, key: string, given: Schema, isRequired: boolean, type: string) {
    const isNullable = given.anyOf?.some((one) => one.type === 'null') === true;
    const forms = given.anyOf?.filter((one) => one.type !== 'null').map((one) => this.resolved(one));
    const { anyOf: _, ...rest } = given;
    const schema = forms?.length === 1 ? { ...rest, ...forms[0] } : given;
    const path = `${type}[${literal(key)}]`;
    const absent = [...(isRequired ? [] : ['undefined']), ...(isNullable ? ['null'] : [])];
    const { decorators, api, models } =
      forms !== undefined && forms.length > 1
        ? this.createUnionRules(forms)
        : this.createRules(schema, `${owner.replace(/Dto$/, '')}${pascal(key)}Dto`, path);
    const description = given.description === undefined ? [] : [`description: ${literal(given.description)}`];
    // For objects, `required` lists their members.
    const optional = api.includes("type: 'object'") ? 'selfRequired: false' : 'required: false';
    const options = [...api, ...description, ...(isRequired ? [] : [optional])];
    if (isNullable) options.push('nullable: true');
    const name = /^[a-zA-Z_$][\w$]*$/.test(key) ? key : literal(key);
    const lines = [
      ...(absent.length === 0 ? [] : [`@UnlessOneOf(${absent.join(', ')})`]),
      ...decorators,
      `${name}${isRequired ? '!' : '?'}: ${path};`,
    ];
    return { key: name, text: lines.map((line) => `  ${line}`).join('\n'), options: options.join(', '), models };
  }

  /** Returns the rules of a value, its options of \`ApiProperty\`, and the classes in them. */
  private createRules(schema: Schema, name: string, path: string): Rules {
    if (schema.$ref !== undefined) return nested(this.addComponent(schema.$ref.slice(REFERENCE.length)));
    if (isClass(schema)) {
      this.addClass(name, schema, `NonNullable<${path}>`);
      return nested(name);
    }
    if (schema.type === 'array') return this.arrayRules(schema, name, path);
    if (schema.type === 'object') return this.recordRules(schema, name, path);
    return { decorators: primitiveRules(schema), api: primitiveOptions(schema), models: [] };
  }

  private arrayRules(schema: Schema, name: string, path: string): Rules {
    const items = this.resolved(schema.items ?? {});
    const of = this.createRules(items, name, `NonNullable<${path}>[number]`);
    const sizes = [
      ...(schema.minItems === undefined ? [] : [`@rules.ArrayMinSize(${schema.minItems})`]),
      ...(schema.maxItems === undefined ? [] : [`@rules.ArrayMaxSize(${schema.maxItems})`]),
    ];
    const each = of.decorators.map((decorator) =>
      decorator.startsWith('@Type')
        ? decorator
        : decorator.endsWith('()')
          ? `${decorator.slice(0, -1)}${decorator.startsWith('@rules.IsNumber') ? '{}, ' : ''}{ each: true })`
          : `${decorator.slice(0, -1)}, { each: true })`,
    );
    return {
      decorators: ['@rules.IsArray()', ...sizes, ...each],
      api: ['isArray: true', ...of.api],
      models: of.models,
    };
  }

  private recordRules(schema: Schema, name: string, path: string): Rules {
    const { additionalProperties: values } = schema;
    const api = ["type: 'object'", 'additionalProperties: true'];
    if (typeof values !== 'object' || Object.keys(values).length === 0)
      return { decorators: ['@rules.IsObject()'], api, models: [] };
    const { check, models } = this.createCheck(this.resolved(values), name, `NonNullable<${path}>[string]`);
    return { decorators: [`@EveryValue(${check})`], api, models };
  }

  private createUnionRules(forms: readonly Schema[]): Rules {
    const checks = forms.map((form) => this.createCheck(form, '', ''));
    const options = checks.flatMap(({ models, check }, at) =>
      models.length > 0
        ? models.map((model) => `{ $ref: getSchemaPath(${model}) }`)
        : check === ''
          ? []
          : [literal({ type: forms[at]?.type })],
    );
    return {
      decorators: [`@AnyOf(${checks.map(({ check }) => check).join(', ')})`],
      api: [`oneOf: [${options.join(', ')}]`],
      models: checks.flatMap(({ models }) => models),
    };
  }

  /** Returns the text of a check function, for places without a decorator of class-validator. */
  private createCheck(schema: Schema, name: string, path: string): { check: string; models: string[] } {
    if (schema.$ref !== undefined || isClass(schema)) {
      const { models } = this.createRules(schema, name, path);
      return { check: `(value) => isValid(${models[0]}, value)`, models };
    }
    const types = [schema.type ?? []].flat();
    if (types.length === 0) return { check: '() => true', models: [] };
    const tests = types.map((type) =>
      type === 'object'
        ? 'isObject(value)'
        : type === 'array'
          ? 'Array.isArray(value)'
          : type === 'integer'
            ? 'Number.isInteger(value)'
            : `typeof value === ${literal(type)}`,
    );
    const allowed = schema.enum === undefined ? '' : `${literal(schema.enum)}.includes(value as never)`;
    return { check: `(value) => ${allowed === '' ? tests.join(' || ') : allowed}`, models: [] };
  }
}

interface Rules {
  decorators: string[];
  api: string[];
  models: string[];
}

const nested = (type: string): Rules => ({
  decorators: ['@rules.IsObject()', '@rules.ValidateNested()', `@Type(() => ${type})`],
  api: [`type: () => ${type}`],
  models: [type],
});

function primitiveRules({ type, const: only, enum: allowed, format, pattern, ...schema }: Schema): string[] {
  if (only !== undefined) return [`@rules.IsIn([${literal(only)}])`];
  if (allowed !== undefined) return [`@rules.IsIn(${literal(allowed)})`];
  const limits = [
    ...(schema.minimum === undefined ? [] : [`@rules.Min(${schema.minimum})`]),
    ...(schema.maximum === undefined ? [] : [`@rules.Max(${schema.maximum})`]),
    ...(schema.minLength === undefined ? [] : [`@rules.MinLength(${schema.minLength})`]),
    ...(schema.maxLength === undefined ? [] : [`@rules.MaxLength(${schema.maxLength})`]),
  ];
  if (type === 'integer') return ['@rules.IsInt()', ...limits];
  if (type === 'number') return ['@rules.IsNumber()', ...limits];
  if (type === 'boolean') return ['@rules.IsBoolean()'];
  if (type !== 'string') return ['@rules.Allow()'];
  const matches = pattern === undefined ? [] : [`@rules.Matches(new RegExp(${literal(pattern)}, 'u'))`];
  return ['@rules.IsString()', ...limits, ...formatRules(format), ...matches];
}

const formatRules = (format: string | undefined): string[] => {
  if (format === 'uuid') return ["@rules.IsUUID('all')"];
  if (format === 'date-time' || format === 'date') return ['@rules.IsISO8601({ strict: true })'];
  return [];
};

const primitiveOptions = ({ type, const: only, enum: allowed, ...schema }: Schema): string[] => {
  const values = only === undefined ? allowed : [only];
  const shown = (['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'] as const).flatMap((key) =>
    schema[key] === undefined ? [] : [`${key}: ${literal(schema[key])}`],
  );
  return [
    ...(type === undefined ? ["type: 'object'"] : [`type: ${literal([type].flat()[0])}`]),
    ...(values === undefined ? [] : [`enum: ${literal(values)}`]),
    ...shown,
  ];
};

const comment = (description: string | undefined): string =>
  description === undefined ? '' : `/** ${description.replaceAll('*/', '* /').replaceAll('\n', '\n * ')} */\n`;

/** Returns the modules with the classes of a document. */
export const dtoModules = (document: OpenAPI3): DtoModules =>
  new DtoWriter((document.components?.schemas ?? {}) as Record<string, Schema>).write();
