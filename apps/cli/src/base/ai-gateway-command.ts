import { Flags } from '@oclif/core';
import { loadCliConfig, managerEnvironment } from '../config/config.ts';
import type { Management } from '../services/ai-gateway/management.ts';
import type { Policy } from '../services/ai-gateway/policies.ts';
import { printable, printableLines } from '../terminal/output.ts';
import { ManagerCommand } from './manager-command.ts';

/** The flags that select AI gateway management. */
interface ManagementFlagValues {
  readonly url?: string | undefined;
  readonly 'token-file'?: string | undefined;
  readonly 'management-url'?: string | undefined;
}

/** The base of commands that call AI gateway management. */
export abstract class AiGatewayCommand extends ManagerCommand {
  static override baseFlags = {
    ...ManagerCommand.baseFlags,
    'management-url': Flags.string({
      description: 'address of AI gateway management (default: that of the platform on this machine)',
    }),
  };

  /** A client of AI gateway management with the caller's token. */
  protected async management(flags: ManagementFlagValues): Promise<Management> {
    const { connectToManagement } = await import('../services/ai-gateway/connect.ts');
    const { home } = loadCliConfig(this.config.root);
    const { url, 'token-file': tokenFile, 'management-url': managementUrl } = flags;
    return connectToManagement(home, { url, tokenFile, managementUrl }, managerEnvironment());
  }

  /** Prints a policy as JSON or as YAML. */
  protected async showPolicy(json: boolean, policy: Policy): Promise<void> {
    if (json) this.output.json(policy);
    else {
      const { formatYaml } = await import('../yaml/yaml-text.ts');
      this.output.line(printableLines(formatYaml(policy).trimEnd()));
    }
  }

  /** Says on stderr which conditions of a policy do not hold. */
  protected warnOfConditions({ status }: Policy): void {
    for (const { type, status: state, reason, message } of status?.conditions ?? [])
      if (state === 'False') this.output.say(printable(`${type} is False (${reason}): ${message}`));
  }
}
