import { dirname, resolve } from 'node:path';
import { explainImportError } from '@gatehouse/workloads/exports/config-fields';
import { importConfig, type ImportOptions } from '@gatehouse/workloads/exports/import-config';
import { inputText } from '../json/input.ts';
import { UsageError } from '../errors/cli-error.ts';
import { addBuildDefaults } from './settings/build-defaults.ts';
import type { PreparedRun, Surroundings } from './run-request.ts';
import { StoredClientSecrets } from './secret/client-secrets.ts';

/** The largest exported configuration, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Prepares the run of an exported configuration.
 * @param machine.replaces whether it takes the place of the workload of its name
 * @throws CliError, WorkloadError (usage)
 */
export async function prepareImport(
  options: Omit<ImportOptions, 'addBuildDefaults'>,
  machine: { readonly home: string; readonly replaces: boolean } & Pick<Surroundings, 'secretsSettings'>,
): Promise<PreparedRun> {
  const { path, folder } = options;
  const imported = importConfig(await readConfiguration(path), {
    ...options,
    // The paths of a document belong to its place; a document on standard input has none.
    folder: path === '-' ? folder : dirname(resolve(folder, path)),
    addBuildDefaults: (source, flags) => addBuildDefaults(source, flags, machine.home),
  });
  const secrets = new StoredClientSecrets(machine.secretsSettings);
  return {
    name: imported.config.name,
    warnings: imported.request.warnings,
    start: async (workloads, foreground, context) => {
      const { name } = imported.config;
      const replaced = machine.replaces ? await workloads.listStoredSecrets([name]) : [];
      const config = await secrets.store(imported.config, name);
      const running = await workloads.import({ ...imported, config }, machine.replaces, foreground, context);
      const { removeUnusedSecrets } = await import('./secret/removed-secrets.ts');
      await removeUnusedSecrets(replaced, { ...machine, workloads, say: context.warn });
      return running;
    },
    fail: async (error) => {
      await secrets.undo();
      return explainImportError(error, options.path);
    },
  };
}

/** Reads the file, or standard input for `-`. */
async function readConfiguration(path: string): Promise<string> {
  if (path === '-' && process.stdin.isTTY) {
    throw new UsageError('--from-config - reads standard input, which is the terminal', ['--from-config PATH']);
  }
  try {
    return await inputText(path, 'configuration', MAX_BYTES);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`--from-config ${error.message}`, [], error);
    throw error;
  }
}
