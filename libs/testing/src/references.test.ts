import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readdirSync, readFileSync } from 'node:fs';

interface Media {
  schema?: unknown;
  example?: unknown;
}
interface Operation {
  operationId: string;
  summary?: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: { in: string; name: string; required: boolean; schema: { examples?: unknown[] }; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}
interface Document {
  info: { description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

const contracts = new URL('../../contracts/', import.meta.url);
const services = readdirSync(contracts).filter((name) => !name.includes('.'));

describe.each(services)('the reference of %s', (service) => {
  const document = JSON.parse(readFileSync(new URL(`${service}/openapi.json`, contracts), 'utf8')) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const { components } = document;
  const findProblem = (schema: unknown, example: unknown): string | undefined => {
    const validate = ajv.compile({ components, allOf: [schema] });
    return validate(example) ? undefined : ajv.errorsText(validate.errors);
  };

  it('has an example for every parameter, body and response, and each matches its schema', () => {
    const wrong: string[] = [];
    const hold = (place: string, schema: unknown, example: unknown) => {
      const problem = example === undefined ? 'has no example' : findProblem(schema, example);
      if (problem !== undefined) wrong.push(`${place}: ${problem}`);
    };
    for (const { name, operation } of operations) {
      for (const parameter of operation.parameters ?? [])
        hold(
          `${name} ${parameter.name}`,
          parameter.schema,
          parameter.required ? parameter.example : parameter.schema.examples?.[0],
        );
      const contents: [string, { content?: Record<string, Media> }][] = [
        ['body', operation.requestBody ?? {}],
        ...Object.entries(operation.responses),
      ];
      for (const [place, { content = {} }] of contents)
        for (const [type, media] of Object.entries(content))
          if (type.endsWith('json')) hold(`${name} ${place}`, media.schema, media.example);
    }
    expect(wrong).toEqual([]);
    expect(operations.length).toBeGreaterThan(2);
  });

  it('explains every failure status of an operation', () => {
    const statuses = new Set(operations.flatMap(({ operation }) => Object.keys(operation.responses)));
    for (const status of [...statuses].filter((code) => Number(code) >= 400))
      expect(document.info.description).toContain(`| **${status}** `);
  });

  it('has unique operation ids, and defines every tag, path parameter and security scheme', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, at) => ids.indexOf(id) < at)).toEqual([]);
    const introduced = new Set(document.tags.filter(({ description }) => description).map(({ name }) => name));
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect([...used].filter((tag) => !introduced.has(tag))).toEqual([]);
    for (const { name, path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map((one) => one.name);
      expect([name, inPath.sort()]).toEqual([name, [...path.matchAll(/\{([^}]+)\}/g)].map(([, one]) => one).sort()]);
      expect([name, operation.summary]).toEqual([name, expect.stringMatching(/\S/)]);
      for (const scheme of (operation.security ?? []).flatMap((one) => Object.keys(one)))
        expect(components.securitySchemes).toHaveProperty([scheme]);
    }
  });
});
