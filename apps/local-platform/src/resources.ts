import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HomePaths, parseObject, readIfExists, readOrCreate, replaceFile } from './home.ts';
import { AI_GATEWAY_FILE, AUDIENCE } from './platform-file.ts';
import { appPath } from './services.ts';

/** The issuer in the resources of the repository: that of a platform without a port offset. */
const TEMPLATE_ISSUER = 'http://127.0.0.1:8090';

/** The options of the resources. */
export interface ResourceOptions {
  /** Address of the platform's identity provider. */
  issuer: string;
  /** Whether to create the resources of a demonstration. */
  demo: boolean;
}

/**
 * Creates the AIGateway `local` and its first policies as YAML files. Each is created once: a file
 * that the user changed or deleted stays as it is. Only the address of the identity provider
 * follows the ports of the platform.
 */
export async function prepareResources(paths: HomePaths, { issuer, demo }: ResourceOptions): Promise<void> {
  mkdirSync(paths.resources, { recursive: true, mode: 0o700 });
  const names = [AI_GATEWAY_FILE, 'aipolicy-administrators.yaml', ...(demo ? ['aipolicy-everyone.yaml'] : [])];
  const listFile = join(paths.config, 'created-resources.json');
  const created = readCreated(listFile);
  const missing = names.filter((name) => !created.includes(name));
  for (const name of missing) readOrCreate(join(paths.resources, name), () => readTemplate(name, issuer));
  if (missing.length > 0) replaceFile(listFile, `${JSON.stringify({ files: [...created, ...missing] }, null, 2)}\n`);
  await followIssuer(join(paths.resources, AI_GATEWAY_FILE), issuer);
}

function readCreated(file: string): readonly string[] {
  const text = readIfExists(file);
  if (text === undefined) return [];
  const { files } = parseObject(file, text) as { files?: readonly string[] };
  return files ?? [];
}

const readTemplate = (name: string, issuer: string): string =>
  readFileSync(appPath(`local-platform/resources/${name}`), 'utf8').replaceAll(TEMPLATE_ISSUER, issuer);

/**
 * Replaces the issuer of the gateway when it is that of this platform at other ports: its audience
 * is the platform's and its host is this machine. Comments of the file stay. The parser is loaded
 * only for a change, to save memory.
 */
async function followIssuer(file: string, issuer: string): Promise<void> {
  const text = readIfExists(file);
  if (text === undefined || text.includes(`${issuer}\n`)) return;
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const path = ['spec', 'auth', 'oidc'];
  if (document.errors.length > 0 || document.getIn([...path, 'audience']) !== AUDIENCE) return;
  const present = document.getIn([...path, 'issuer']);
  if (present === issuer || typeof present !== 'string' || !/^http:\/\/127\.0\.0\.1:\d+$/.test(present)) return;
  document.setIn([...path, 'issuer'], issuer);
  document.setIn([...path, 'jwksUri'], `${issuer}/jwks`);
  replaceFile(file, document.toString({ lineWidth: 0 }));
}
