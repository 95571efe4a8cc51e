import { Flags } from '@oclif/core';
import { GatehouseCommand } from '../base/base-command.ts';
import { loadCliConfig, managerEnvironment } from '../config/config.ts';

/** `gatehouse logout`. */
export default class Logout extends GatehouseCommand {
  static override summary = 'end the session with an enterprise manager';
  static override description = `Revokes the session at the identity provider if possible, and always deletes it on this machine. The session of the browser at the provider stays.`;
  static override examples = [
    '<%= config.bin %> logout',
    '<%= config.bin %> logout --url https://gatehouse.example.com',
  ];
  static override flags = {
    url: Flags.string({ description: 'address of the enterprise manager (default: that of the last login)' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(Logout);
    const { logout } = await import('../services/logout.ts');
    const { home } = loadCliConfig(this.config.root);
    const ended = await logout(home, managerEnvironment(), flags.url);
    if (flags.json) this.output.json(ended);
    else if (ended.status === 'signed_out') this.output.say(`Signed out of ${ended.manager}`);
    else this.output.say(`There is no session with ${ended.manager}`);
    if (ended.left !== undefined) this.output.say(ended.left);
  }
}
