import { UsageError } from '../errors/cli-error.ts';
import { type PreparedRun, prepareRun, type RunCommandLine, type Surroundings } from './run-request.ts';

/** A command line of `run` with its source, which is the argument or `--from-config`. */
interface SourcedCommandLine extends Omit<RunCommandLine, 'typed'> {
  readonly typed: string | undefined;
  /** The values of all flags of the command by name. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** The flags that a configuration does not replace. */
const IMPORT_FLAGS: ReadonlySet<string> = new Set([
  ...['from-config', 'replace', 'name', 'group', 'foreground', 'json', 'debug', 'help'],
  ...['runtime', 'kube-context', 'kube-namespace'],
]);

/** Prepares the run of a command line. @throws CliError, WorkloadError (usage), SecretsError */
export async function prepareCommandLine(line: SourcedCommandLine, around: Surroundings): Promise<PreparedRun> {
  const { typed, args, flags, given } = line;
  const path = given['from-config'];
  if (typeof path === 'string') {
    checkImportFlags(line);
    const { prepareImport } = await import('./run-import.ts');
    const { home, folder, globalIgnoreFile, secretsSettings } = around;
    const options = {
      path,
      name: flags.name,
      group: flags.group,
      debug: flags.debug ?? false,
      folder,
      globalIgnoreFile,
      cluster: { runtime: flags.runtime, kubeContext: flags.kubeContext, kubeNamespace: flags.kubeNamespace },
    };
    return prepareImport(options, { home, replaces: given['replace'] === true, secretsSettings });
  }
  if (given['replace'] === true) throw new UsageError('--replace has a meaning with --from-config only');
  if (typed !== undefined) return prepareRun({ typed, args, flags }, around);
  throw new UsageError('Give the server: a name of the registry, a container image, a package or a URL', [
    'gatehouse run server-time',
    '--from-config PATH   runs an exported configuration',
  ]);
}

function checkImportFlags({ typed, args, given }: SourcedCommandLine): void {
  if (typed !== undefined)
    throw new UsageError(`--from-config cannot be given together with a server (${typed})`, ['give one of both']);
  if (args.length > 0)
    throw new UsageError('--from-config cannot be given together with arguments after --', [
      'change cmd_args in the configuration',
    ]);
  const others = Object.entries(given).flatMap(([flag, value]) =>
    IMPORT_FLAGS.has(flag) || value === undefined ? [] : [`--${flag}`],
  );
  if (others.length === 0) return;
  throw new UsageError(`--from-config cannot be given together with ${others.join(', ')}`, [
    'change these values in the configuration',
  ]);
}
