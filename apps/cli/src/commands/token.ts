import { Flags } from '@oclif/core';
import { GatehouseCommand } from '../base/base-command.ts';
import { loadCliConfig } from '../config/config.ts';

/** `gatehouse token`. */
export default class Token extends GatehouseCommand {
  static override summary = 'print an access token of the local platform';
  static override description = `Prints one access token on stdout, for a user or a service of the platform that "npm start" runs on this machine.`;
  static override examples = [
    '<%= config.bin %> token --user alice',
    '<%= config.bin %> token --user alice --audience https://example.test --ttl 1h',
    '<%= config.bin %> token --client ai-gateway',
  ];
  static override flags = {
    user: Flags.string({ description: 'sign-in name of a user', exactlyOne: ['user', 'client'] }),
    client: Flags.string({ description: 'id of a service client' }),
    audience: Flags.string({ description: 'audience of the token (default: the services of the platform)' }),
    ttl: Flags.string({ description: 'lifetime of the token', default: '10m' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(Token);
    const { localToken } = await import('../services/token.ts');
    const { home } = loadCliConfig(this.config.root);
    const { json, user, client, audience, ttl } = flags;
    const token = await localToken(home, {
      ttl,
      ...(user !== undefined && { user }),
      ...(client !== undefined && { client }),
      ...(audience !== undefined && { audience }),
    });
    if (json) this.output.json({ access_token: token });
    else this.output.line(token);
  }
}
