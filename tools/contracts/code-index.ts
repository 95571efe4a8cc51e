import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fromRoot, type ServiceName } from './services.ts';

/** An operation of a service, as far as the index shows it. */
export interface IndexedOperation {
  method: string;
  path: string;
  /** `<class of the controller>_<method>`; operations of service-kit have their own names. */
  operationId: string;
}

/** A command in the manifest of oclif. */
interface ManifestCommand {
  id: string;
  hidden?: boolean;
  relativePath: string[];
  flags: Record<string, object>;
}

const HEADER = `# Index of operations and commands

\`npm run contracts\` writes this file. The rules of an operation are in the files that its controller calls. A flag that several commands share is in \`apps/cli/src/flags\` or \`apps/cli/src/base\`; \`libs/workloads/src/flags/run-flags.ts\` parses the flags of \`run\`.
`;

/** Returns docs/code-index.md: the files of each operation and of each command. */
export function codeIndex(operations: ReadonlyMap<ServiceName, readonly IndexedOperation[]>): string {
  const services = [...operations].map(
    ([service, list]) => `## ${service}\n\n${operationLines(service, list).join('\n')}\n`,
  );
  return [HEADER, ...services, commandList()].join('\n');
}

/** A source file with its path from the top of the repository. */
interface Source {
  path: string;
  text: string;
}

const readSources = (folder: string): Source[] =>
  globSync(`${folder}/**/*.ts`, { cwd: fromRoot('.') })
    .filter((path) => !/\.test\.ts$/.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(fromRoot(path), 'utf8') }));

function operationLines(service: ServiceName, operations: readonly IndexedOperation[]): string[] {
  const own = readSources(`apps/${service}/src`);
  const shared = readSources('libs/service-kit/src');
  return operations.map(({ method, path, operationId }) => {
    const controller = findController(operationId, own) ?? findOperation(operationId, shared);
    if (controller === undefined) throw new Error(`No file has the operation ${operationId} of ${service}.`);
    const files = [controller.path, ...calledFiles(controller, operationId)];
    return `- \`${method.toUpperCase()} ${path}\`: ${files.map(link).join(', ')}`;
  });
}

/** Finds the controller by its class, or by the file that a factory fills. */
function findController(operationId: string, sources: readonly Source[]): Source | undefined {
  const [name = ''] = operationId.split('_');
  const declaration = new RegExp(`(?:class|const) ${name}Controller\\b`);
  const file = `${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.controller.ts`;
  return sources.find(({ text }) => declaration.test(text)) ?? sources.find(({ path }) => basename(path) === file);
}

const findOperation = (operationId: string, sources: readonly Source[]): Source | undefined =>
  sources.find(({ text }) => text.includes(`'${operationId}'`));

const IMPORT = /^import (?:type )?\{([^}]*)\} from '(\.[^']+)';$/gm;

/**
 * The files of the classes that a handler uses, and of those that a controller passes to a factory.
 */
function calledFiles({ path, text }: Source, operationId: string): string[] {
  const handler = handlerText(text, operationId.split('_')[1] ?? '');
  const injected = [...text.matchAll(/private readonly (\w+): (\w+)/g)]
    .filter(([, field = '']) => handler.includes(`this.${field}.`))
    .map(([, , type = '']) => type);
  const passed = [...text.matchAll(/^ {2}(\w+),$|= (\w+)\($/gm)].flatMap(
    ([, value, factory]) => value ?? factory ?? [],
  );
  const called = new Set([...injected, ...passed]);
  return [...text.matchAll(IMPORT)]
    .filter(([, names = '']) => names.split(',').some((name) => called.has(name.trim())))
    .map(([, , file = '']) => normalize(join(dirname(path), file)))
    .filter((file) => !file.endsWith('.dto.ts'));
}

/**
 * Returns the text of a handler: the whole file if the handler is not in it or calls a private
 * method.
 */
function handlerText(text: string, name: string): string {
  const [, indent = ''] = new RegExp(`^( +)(?:async )?${name}\\(`, 'm').exec(text) ?? [];
  const start = text.search(new RegExp(`^ +(?:async )?${name}\\(`, 'm'));
  if (start < 0) return text;
  const handler = text.slice(start, text.indexOf(`\n${indent}}\n`, start));
  return /this\.\w+\(/.test(handler) ? text : handler;
}

const link = (path: string): string => `[${basename(path)}](../${path})`;

/** The files of `services` that a command imports. They use the values of its flags. */
const importedServices = (file: string): string[] =>
  [...readFileSync(fromRoot(file), 'utf8').matchAll(IMPORT)]
    .map(([, , imported = '']) => normalize(join(dirname(file), imported)))
    .filter((imported) => imported.startsWith('apps/cli/src/services/'));

function commandList(): string {
  const manifest = JSON.parse(readFileSync(fromRoot('apps/cli/oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, ManifestCommand>;
  };
  const commands = Object.values(manifest.commands).filter(({ hidden }) => !hidden);
  const common = Object.keys(commands[0]?.flags ?? {}).filter((flag) => commands.every(({ flags }) => flag in flags));
  const lines = commands.map(({ id, relativePath, flags }) => {
    const file = join('apps/cli/src', ...relativePath.slice(relativePath.indexOf('commands'))).replace(/\.js$/, '.ts');
    const own = Object.keys(flags).filter((flag) => !common.includes(flag));
    const files = [file, ...importedServices(file)];
    return `- \`${id.replaceAll(':', ' ')}\`: ${files.map(link).join(', ')}${own.map((flag) => ` \`--${flag}\``).join('')}`;
  });
  return `## cli\n\nAll commands have ${common.map((flag) => `\`--${flag}\``).join(', ')}. \`--url\` and \`--token-file\` are in \`apps/cli/src/base/manager-command.ts\`.\n\n${lines.sort().join('\n')}\n`;
}
