import { resolve } from 'node:path';
import type { LocalServer, RemoteServer, ServerVariable } from '@gatehouse/mcp-registry/servers/registry-server';
import type { SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { parseRunFlags, type RunFlags } from '@gatehouse/workloads/flags/run-flags';
import type { RunRequest } from '@gatehouse/workloads/flags/run-request';
import type { Workloads } from '@gatehouse/workloads/lifecycle';
import type { RunningWorkload } from '@gatehouse/workloads/state/new-workload';
import type { CommandContext } from '@gatehouse/workloads/runtime/runtime';
import { resolveSource } from '@gatehouse/workloads/sources/resolve-source';
import { canAsk } from '../terminal/choose.ts';
import { printable } from '../terminal/output.ts';
import { StoredClientSecrets } from './secret/client-secrets.ts';
import { addBuildDefaults, addIgnoreDefault, addVerificationDefaults } from './settings/build-defaults.ts';

/** The command line of `run`. */
export interface RunCommandLine {
  /** A name of the registry, an image, a package or a URL. */
  readonly typed: string;
  /** The arguments after `--`. */
  readonly args: readonly string[];
  readonly flags: RunFlags;
}

/** The surroundings of a command line. */
export interface Surroundings {
  /** Folder of the state. */
  readonly home: string;
  /** The ignore file of the user, which need not exist. */
  readonly globalIgnoreFile: string;
  /** The folder to which relative paths refer. */
  readonly folder: string;
  /** The settings of secrets of this home. */
  readonly secretsSettings: () => Promise<SecretsSettings>;
  /** Checks the name and the group of a new workload, and that a runtime answers. */
  readonly checkNew: (request: RunRequest) => Promise<void>;
  /** Prints a sentence on stderr. */
  readonly say: (sentence: string) => void;
}

/** A workload that is ready to start. */
export interface PreparedRun {
  readonly name: string;
  readonly warnings: readonly string[];
  readonly start: (workloads: Workloads, foreground: boolean, context: CommandContext) => Promise<RunningWorkload>;
  /**
   * Ends a run that failed: removes what the preparation has stored.
   * @returns the error, with advice where possible
   */
  readonly fail: (error: unknown) => Promise<unknown>;
}

/**
 * Turns a command line of `run` into a request: finds the source, and completes the command line
 * with the entry of the registry. Missing variables are asked for on a terminal.
 * @throws CliError, WorkloadError (usage), SecretsError
 */
export async function prepareRun(typedLine: RunCommandLine, around: Surroundings): Promise<PreparedRun> {
  const { typed, args } = typedLine;
  const { home, folder } = around;
  const flags = addIgnoreDefault(addVerificationDefaults(typedLine.flags, home), home);
  const note = (sentence: string) => around.say(printable(sentence));
  const registries = await import('./registry/selected-registry.ts');
  const bundle = flags.gatehouseCaBundle === undefined ? undefined : resolve(folder, flags.gatehouseCaBundle);
  const passFiles = await readPassFiles(flags, folder);
  const open = (timeoutMs?: number) => registries.openSelectedRegistry(home, note, bundle, timeoutMs);
  return registries.askRegistry(async () => {
    const { source, server, remoteServer, imageServer } = await resolveSource(typed, { open, note });
    if (remoteServer !== undefined)
      return prepareRemoteServer(remoteServer, { ...typedLine, flags }, around, passFiles);
    if (server === undefined) {
      const known = imageServer === undefined ? flags : await addImageFlags(imageServer, flags, note);
      const request = {
        ...parseRunFlags(source, args, addBuildDefaults(source, known, home), folder),
        ...passFiles,
      };
      return createRun(request, around, async (error) => {
        const { suggestName } = await import('./registry/suggest-name.ts');
        return suggestName(error, typed, home);
      });
    }
    const { describeRegistryMounts } = await import('@gatehouse/workloads/permissions/registry-profile');
    const { addServerFlags } = await import('@gatehouse/workloads/sources/server-flags');
    const line = addServerFlags(typed, server, { args, flags });
    const request = parseRunFlags(source, line.args, addBuildDefaults(source, line.flags, home), folder);
    const { requireListedTools } = await import('@gatehouse/workloads/flags/tools');
    requireListedTools(request.tools, server.tools);
    for (const sentence of describeServer(server)) note(sentence);
    if (flags.permissionProfile === undefined)
      for (const sentence of describeRegistryMounts(server.permissions)) note(`Warning: ${server.name}: ${sentence}`);
    const { readRegistrySource } = await import('./settings/registry-source.ts');
    const registry = readRegistrySource(home);
    return addAnswers({ ...request, ...passFiles, server, registry }, server, around);
  });
}

/** Turns an entry of a remote server into a request. */
async function prepareRemoteServer(
  server: RemoteServer,
  { typed, args, flags }: RunCommandLine,
  around: Surroundings,
  passFiles: Awaited<ReturnType<typeof readPassFiles>>,
): Promise<PreparedRun> {
  const { addRemoteServerFlags } = await import('@gatehouse/workloads/sources/remote-server-flags');
  const { askVariable } = await import('./registry/ask-variable.ts');
  const { requireListedTools } = await import('@gatehouse/workloads/flags/tools');
  const { readRegistrySource } = await import('./settings/registry-source.ts');
  for (const sentence of describeServer({ ...server, source: server.url })) around.say(printable(sentence));
  const ask = canAsk() ? (variable: ServerVariable) => askVariable(variable) : undefined;
  const complete = await addRemoteServerFlags(typed, server, flags, ask);
  const request = parseRunFlags(server.url, args, complete, around.folder);
  requireListedTools(request.tools, server.tools);
  const registry = readRegistrySource(around.home);
  return createRun({ ...request, ...passFiles, remoteServer: server, registry }, around, (error) =>
    Promise.resolve(error),
  );
}

/** Completes the flags of a typed image with the transport of its entry. */
async function addImageFlags(server: LocalServer, flags: RunFlags, note: (sentence: string) => void) {
  if (flags.transport) return flags;
  const { addTransportFlags } = await import('@gatehouse/workloads/sources/server-flags');
  note(`${server.name} of the registry has this image, with the transport ${server.transport}`);
  return addTransportFlags(server, flags);
}

/** Reads the files of flags that can be YAML. Their parser and Cedar are loaded only for them. */
async function readPassFiles({ authzConfig, webhookConfig = [] }: RunFlags, folder: string) {
  const files: { -readonly [name in 'authorization' | 'webhooks']?: RunRequest[name] } = {};
  if (authzConfig !== undefined) {
    const { readAuthorizationFile } = await import('@gatehouse/workloads/authorization/authorization-file');
    files.authorization = await readAuthorizationFile(authzConfig, folder);
  }
  if (webhookConfig.length > 0) {
    const { readWebhookFiles } = await import('@gatehouse/workloads/flags/webhook-files');
    files.webhooks = readWebhookFiles(webhookConfig, folder);
  }
  return files;
}

function createRun(request: RunRequest, { secretsSettings }: Surroundings, fail: PreparedRun['fail']): PreparedRun {
  const secrets = new StoredClientSecrets(secretsSettings);
  return {
    name: request.name,
    warnings: request.warnings,
    start: async (workloads, foreground, context) => {
      const authentication = await secrets.store(request.authentication, request.name);
      const remote = await secrets.store(request.remote, request.name);
      const { telemetry_config: telemetry } = await secrets.store(
        { telemetry_config: request.telemetry },
        request.name,
      );
      return workloads.run({ ...request, authentication, remote, telemetry }, foreground, context);
    },
    fail: async (error) => {
      await secrets.undo();
      return fail(error);
    },
  };
}

/** The sentences about an entry that is going to run. */
const describeServer = ({
  name,
  source,
  deprecated,
  warnings,
}: Pick<LocalServer, 'name' | 'source' | 'deprecated' | 'warnings'>): string[] => [
  `${name} of the registry is ${source}`,
  ...(deprecated ? [`Warning: the publisher of ${name} advises against its use`] : []),
  ...warnings.map((warning) => `Warning: ${name}: ${warning}`),
];

/** Completes the environment; on a terminal with the answers of the person. */
async function addAnswers(request: RunRequest, server: LocalServer, around: Surroundings): Promise<PreparedRun> {
  const { addServerEnvironment } = await import('@gatehouse/workloads/sources/server-environment');
  const { AnsweredSecrets } = await import('./secret/answered-secrets.ts');
  const { askVariable } = await import('./registry/ask-variable.ts');
  const secrets = new AnsweredSecrets(server.name, around.secretsSettings);
  if (canAsk() && server.environment.some(({ required }) => required)) await around.checkNew(request);
  const complete = await addServerEnvironment(request, server, {
    ask: canAsk() ? (variable) => askVariable(variable) : undefined,
    find: async ({ name }) => {
      const found = await secrets.find(name, canAsk());
      if (found !== undefined)
        around.say(`${name} is the secret ${found.name}; gatehouse secret set ${found.name}   changes it`);
      return found;
    },
    store: ({ name, value }) => secrets.store(name, value),
  });
  return createRun(complete, around, async (error) => {
    await secrets.undo();
    return error;
  });
}
