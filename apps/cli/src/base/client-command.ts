import { Flags } from '@oclif/core';
import type { EntryChange } from '@gatehouse/mcp-clients/entries/client-configurations';
import type { WorkloadClients } from '../services/clients/workload-clients.ts';
import { WorkloadCommand } from './workload-command.ts';

/** The groups of a command about clients. */
export const groupsFlag = (description: string) => ({ group: Flags.string({ description }) });

/** The base of commands about MCP clients. */
export abstract class ClientCommand extends WorkloadCommand {
  /** Parses the value of `--group`: names with commas between them. */
  protected parseGroups(value: string | undefined): string[] | undefined {
    return value === undefined ? undefined : [...new Set(value.split(',').map((name) => name.trim()))];
  }

  /** Makes the clients list all running workloads of their groups. */
  protected async updateAll(clients: WorkloadClients): Promise<EntryChange[]> {
    const { describeProblems } = await import('../services/clients/describe-changes.ts');
    const changes = await clients.update(await this.workloads().list());
    for (const problem of describeProblems(changes)) this.output.say(`Warning: ${problem}`);
    return changes;
  }

  /** Prints the changes, one line for each. */
  protected async printChanges(changes: readonly EntryChange[]): Promise<void> {
    const { describeChanges } = await import('../services/clients/describe-changes.ts');
    for (const line of describeChanges(changes)) this.output.line(line);
  }
}
