import { Args, Flags } from '@oclif/core';
import { RegistryCommand } from '../../base/registry-command.ts';
import { UsageError } from '../../errors/cli-error.ts';
import { printable } from '../../terminal/output.ts';

/** `gatehouse registry set`. */
export default class RegistrySet extends RegistryCommand {
  static override summary = 'select the registry of servers';
  static override description = `PLACE is a file, the URL of a registry document, or the base URL of a registry with the API v0.1. The registry is read in full first; if that fails, the setting stays.`;
  static override usage = 'registry set PLACE | --reset';
  static override examples = [
    '<%= config.bin %> registry set ./registry.json',
    '<%= config.bin %> registry set https://registry.example.com/registry.json',
    '<%= config.bin %> registry set https://registry.modelcontextprotocol.io',
    '<%= config.bin %> registry set http://10.0.0.5:8080 --allow-private-ip',
    '<%= config.bin %> registry set --reset',
  ];
  static override args = { place: Args.string({ ignoreStdin: true, description: 'file or URL of the registry' }) };
  static override flags = {
    'allow-private-ip': Flags.boolean({
      default: false,
      description: 'allow http, and private and loopback addresses, for the URL of this registry',
    }),
    reset: Flags.boolean({ default: false, description: 'return to the embedded registry' }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(RegistrySet);
    const { place } = args;
    if ((place === undefined) !== flags.reset)
      throw new UsageError('Give the file or the URL of a registry, or --reset', [
        'gatehouse registry set ./registry.json',
      ]);
    if (place === undefined) await this.reset(flags.json);
    else await this.select(place, flags['allow-private-ip'], flags.json);
  }

  private async reset(json: boolean): Promise<void> {
    const { resetRegistry } = await import('../../services/registry/set-registry.ts');
    await resetRegistry(this.home());
    if (json) this.output.json({ kind: 'embedded' });
    else this.output.say('The registry is the embedded registry');
  }

  private async select(text: string, allowPrivateIp: boolean, json: boolean): Promise<void> {
    const { setRegistry } = await import('../../services/registry/set-registry.ts');
    const { describeProblems, formatServerCount } = await import('../../views/registry-view.ts');
    const request = { home: this.home(), text, folder: process.cwd(), allowPrivateIp, note: this.note };
    const { source, listing } = await setRegistry(request);
    for (const line of describeProblems(listing.problems)) this.output.say(line);
    if (json) this.output.json({ ...source, servers: listing.servers.length });
    else
      this.output.say(
        printable(`The registry is ${text} (${source.kind}), with ${formatServerCount(listing.servers.length)}`),
      );
  }
}
