// Usage: npm run contracts
// Writes openapi.json and the sources of libs/contracts/<service>, the table in README.md,
// code-index.md and run-flags.md in docs, and the types and schemas of libs/ai-resources from
// deploy/crds.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { codeIndex, type IndexedOperation } from './code-index.ts';
import { conformance } from './conformance.ts';
import { DTO_RULES, dtoModules } from './dto.ts';
import { generateResources } from './resources.ts';
import { describeRunFlags } from './run-flags.ts';
import { fromRoot, services, type ServiceName } from './services.ts';

const header = '// Generated from openapi.json by `npm run contracts`. Do not edit.\n';

const client = (
  service: ServiceName,
): string => `${header}import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from './schema.ts';

/**
 * Creates a typed client of ${service}. Paths, parameters, bodies and responses are those of its
 * OpenAPI document.
 * @param options \`baseUrl\`, and optionally \`fetch\` or \`headers\`
 */
export const createClient = (options: ClientOptions): Client<paths> => createFetchClient<paths>(options);
`;

/** Generates all files from the built services. @returns contents by path */
export const generated = async (): Promise<Map<string, string>> => {
  const files = new Map<string, string>();
  for (const { name } of services) {
    const { openApiDocument } = (await import(fromRoot(`apps/${name}/dist/openapi.js`))) as {
      openApiDocument: () => Promise<OpenAPI3>;
    };
    const document = JSON.parse(JSON.stringify(await openApiDocument())) as OpenAPI3;
    const folder = `libs/contracts/${name}`;
    files.set(`${folder}/openapi.json`, `${JSON.stringify(document, null, 2)}\n`);
    files.set(`${folder}/src/schema.ts`, header + astToString(await openapiTS(document)));
    files.set(`${folder}/src/client.ts`, client(name));
    const { validation, dto } = dtoModules(document);
    files.set(`${folder}/src/validation.ts`, validation);
    files.set(`${folder}/src/dto.ts`, dto);
    files.set(`${folder}/src/dto-rules.ts`, DTO_RULES);
  }
  for (const [path, content] of await generateResources()) files.set(path, content);
  files.set('docs/code-index.md', await formatMarkdown(codeIndex(indexedOperations(files))));
  files.set('docs/run-flags.md', await formatMarkdown(describeRunFlags()));
  files.set('README.md', await updateTable(readFileSync(fromRoot('README.md'), 'utf8'), files));
  return files;
};

/** Replaces the table of built operations between the two markers of the README. */
const updateTable = async (readme: string, files: Map<string, string>): Promise<string> => {
  const rows = services.map(({ name, wire }) => {
    const document = files.get(`libs/contracts/${name}/openapi.json`) ?? '';
    if (!wire) return `| ${name} | – | ${countOperations(document)} |`;
    const { conforming, total, added } = conformance(name, document);
    return `| ${name} | ${conforming.length} of ${total} | ${added} |`;
  });
  const table = ['| Service | Agreed operations built | Further operations |', '| --- | --- | --- |', ...rows].join(
    '\n',
  );
  const filled = readme.replace(
    /(<!-- contracts -->)[\s\S]*?(<!-- \/contracts -->)/,
    (_, open: string, close: string) => `${open}\n\n${table}\n\n${close}`,
  );
  return formatMarkdown(filled);
};

const formatMarkdown = async (text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(fromRoot('README.md'))), parser: 'markdown' });

const indexedOperations = (files: ReadonlyMap<string, string>): Map<ServiceName, IndexedOperation[]> =>
  new Map(
    services.map(({ name }) => {
      const { paths } = JSON.parse(files.get(`libs/contracts/${name}/openapi.json`) ?? '{}') as {
        paths: Record<string, Record<string, { operationId: string }>>;
      };
      const operations = Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, { operationId }]) => ({ method, path, operationId })),
      );
      return [name, operations];
    }),
  );

const countOperations = (document: string): number => {
  const { paths } = JSON.parse(document) as { paths: Record<string, object> };
  return Object.values(paths).reduce((sum, item) => sum + Object.keys(item).length, 0);
};

if (import.meta.main) {
  for (const [path, content] of await generated()) {
    await mkdir(dirname(fromRoot(path)), { recursive: true });
    await writeFile(fromRoot(path), content);
    console.error(`wrote ${path}`);
  }
}
