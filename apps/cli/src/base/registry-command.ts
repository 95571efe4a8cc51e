import type { Registry } from '@gatehouse/mcp-registry/registry/registry';
import { loadCliConfig } from '../config/config.ts';
import { printable } from '../terminal/output.ts';
import { GatehouseCommand } from './base-command.ts';

/** The base of commands about the registry of MCP servers. */
export abstract class RegistryCommand extends GatehouseCommand {
  /** The folder with the settings. */
  protected home(): string {
    return loadCliConfig(this.config.root).home;
  }

  /** Says a sentence about a registry on stderr. */
  protected readonly note = (sentence: string): void => this.output.say(printable(sentence));

  /**
   * Asks the registry that the settings select.
   * @throws CliError
   */
  protected async ask<T>(question: (registry: Registry) => Promise<T>): Promise<T> {
    const { askRegistry, openSelectedRegistry } = await import('../services/registry/selected-registry.ts');
    return askRegistry(async () => question(await openSelectedRegistry(this.home(), this.note)));
  }
}
