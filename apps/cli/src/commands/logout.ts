import { Flags } from '@oclif/core';
import { GatehouseCommand } from '../base/base-command.ts';
import { loadCliConfig, managerEnvironment } from '../config/config.ts';

/** `gatehouse logout`. */
export default class Logout extends GatehouseCommand {
  static override summary = 'end the session with an enterprise manager';
  static override description = `Ends the session at the identity provider, where that can be done, and forgets it here in any case. The browser's own session with the provider is another one and stays.`;
  static override examples = [
    '<%= config.bin %> logout',
    '<%= config.bin %> logout --url https://gatehouse.example.com',
  ];
  static override flags = {
    url: Flags.string({ description: 'address of the enterprise manager (default: the one signed in to last)' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(Logout);
    const { logout } = await import('../services/logout.ts');
    const { home } = loadCliConfig(this.config.root);
    const ended = await logout(home, managerEnvironment(), flags.url);
    if (flags.json) this.output.json(ended);
    else if (ended.status === 'signed_out') this.output.say(`Signed out of ${ended.manager}`);
    else this.output.say(`There was no session with ${ended.manager}`);
    if (ended.left !== undefined) this.output.say(ended.left);
  }
}
