import { Args } from '@oclif/core';
import { GatehouseCommand } from '../base/base-command.ts';

/** `gatehouse completion`. */
export default class Completion extends GatehouseCommand {
  static override summary = 'print a script that completes commands in a shell';
  static override description = `It completes commands, flags, and the names of workloads, groups, settings and servers of the registry.`;
  static override examples = [
    '<%= config.bin %> completion bash > ~/.local/share/bash-completion/completions/gatehouse',
    'source <(<%= config.bin %> completion zsh)',
    '<%= config.bin %> completion fish > ~/.config/fish/completions/gatehouse.fish',
  ];
  static override args = {
    shell: Args.string({
      required: true,
      ignoreStdin: true,
      options: ['bash', 'zsh', 'fish'],
      description: 'shell',
    }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(Completion);
    const { SCRIPTS, SHELLS } = await import('../services/completion/scripts.ts');
    const shell = SHELLS.find((name) => name === args.shell) ?? 'bash';
    if (flags.json) this.output.json({ shell, script: SCRIPTS[shell] });
    else this.output.line(SCRIPTS[shell].trimEnd());
  }
}
