import { Args, Flags } from '@oclif/core';
import { WorkloadCommand } from '../base/workload-command.ts';
import { UsageError } from '../errors/cli-error.ts';
import { writeExport } from '../services/export.ts';

/** An exported document, and what the user must know about it. */
interface Exported {
  readonly document: string;
  /** The same as JSON. */
  readonly value: unknown;
  readonly suspects: readonly string[];
  readonly notes: readonly string[];
}

/** `gatehouse export`. */
export default class Export extends WorkloadCommand {
  static override summary = 'export the configuration of a workload, for gatehouse run --from-config or for Kubernetes';
  static override description = `Prints the configuration, or writes it to PATH, which only you can read then. It contains references to secrets, but environment variables in clear.
With --format k8s it is the objects in Kubernetes as YAML, for kubectl apply.`;
  static override examples = [
    '<%= config.bin %> export files > files.json',
    '<%= config.bin %> export files backup/files.json',
    'ssh other gatehouse export files | <%= config.bin %> run --from-config -',
    '<%= config.bin %> export files --format k8s | kubectl apply -f -',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the workload' }),
    path: Args.string({ ignoreStdin: true, description: 'file to write (default: standard output)' }),
  };
  static override flags = {
    format: Flags.string({ default: 'json', description: 'json, or k8s for the objects in Kubernetes as YAML' }),
    'kube-namespace': Flags.string({
      description: 'namespace of the objects, with --format k8s (default: that of the workload, else of the settings)',
    }),
    'egress-address': Flags.string({
      description: 'address of the egress Service of an isolated server, with --format k8s (default: the present one)',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(Export);
    const isManifest = flags.format === 'k8s';
    if (!isManifest) requireJson(flags);
    const { document, value, suspects, notes } = isManifest
      ? await this.exportManifest(args.name, flags)
      : this.exportConfiguration(args.name);
    if (args.path !== undefined && args.path !== '-') {
      writeExport(args.path, document);
      if (flags.json) this.output.json({ name: args.name, path: args.path });
      else this.output.say(`${args.name} is exported to ${args.path}`);
    } else if (isManifest && !flags.json) this.output.line(document.trimEnd());
    else this.output.json(value);
    for (const note of notes) this.output.say(note);
    if (suspects.length === 0) return;
    this.output.say(`Warning: the export shows values that can be secrets: ${suspects.join(', ')}`);
    this.output.say('Try: gatehouse secret set NAME, and run with --secret NAME,target=VARIABLE instead');
  }

  private exportConfiguration(name: string): Exported {
    const { document, suspects } = this.workloads().export(name);
    return { document, value: JSON.parse(document), suspects, notes: [] };
  }

  private async exportManifest(
    name: string,
    flags: { readonly 'kube-namespace': string | undefined; readonly 'egress-address': string | undefined },
  ): Promise<Exported> {
    const { createSecretCommands, formatManifest } = await import('../services/export-manifest.ts');
    const manifest = await this.workloads().exportManifest(name, {
      namespace: flags['kube-namespace'],
      egressAddress: flags['egress-address'],
    });
    const commands = createSecretCommands(manifest);
    return {
      document: formatManifest(manifest),
      value: { apiVersion: 'v1', kind: 'List', items: manifest.objects },
      suspects: manifest.suspects,
      notes: [
        ...manifest.notes.map((note) => `Warning: ${note}`),
        ...(commands.length === 0 ? [] : ['The pods wait for Secrets, whose values are not exported']),
        ...commands.map((command) => `Try: ${command}`),
      ],
    };
  }
}

/** @throws UsageError for another format, and for flags of the other one */
function requireJson(flags: Readonly<Record<string, unknown>>): void {
  if (flags['format'] !== 'json')
    throw new UsageError(`--format ${String(flags['format'])} is not a format`, ['--format json', '--format k8s']);
  const other = ['kube-namespace', 'egress-address'].find((flag) => flags[flag] !== undefined);
  if (other !== undefined) throw new UsageError(`--${other} has a meaning with --format k8s only`, ['--format k8s']);
}
