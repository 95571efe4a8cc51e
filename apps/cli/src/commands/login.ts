import { Flags } from '@oclif/core';
import { GatehouseCommand } from '../base/base-command.ts';
import { loadCliConfig, managerEnvironment } from '../config/config.ts';
import { printable } from '../terminal/output.ts';
import { OFFLINE_ACCESS_CHOICES } from '../services/session/offline-access.ts';

/** `gatehouse login`. */
export default class Login extends GatehouseCommand {
  static override summary = 'sign in to an enterprise manager';
  static override description = `Opens the browser at the identity provider and stores the session in the keyring of the operating system, or in an encrypted file of the home if there is no keyring. Without a browser (no desktop, SSH) it shows a code for any other device.`;
  static override examples = [
    '<%= config.bin %> login',
    '<%= config.bin %> login --url https://gatehouse.example.com',
    '<%= config.bin %> login --device',
    '<%= config.bin %> login --prompt login   (as another user)',
  ];
  static override flags = {
    url: Flags.string({
      description: 'address of the enterprise manager (default: the local platform, else that of the last login)',
    }),
    device: Flags.boolean({
      description: 'show a code to enter in a browser on any device',
      exclusive: ['no-browser'],
    }),
    'no-browser': Flags.boolean({ description: 'print the address instead of opening it' }),
    prompt: Flags.string({
      description: 'page that the provider shows (parameter prompt)',
      options: ['login', 'consent', 'select_account'],
    }),
    'offline-access': Flags.option({
      description: 'request a refresh token that works while you are absent (auto: if the provider offers it)',
      options: OFFLINE_ACCESS_CHOICES,
      default: 'auto',
    })(),
    resource: Flags.string({ description: 'name of the API at the provider (default: as published by the manager)' }),
    timeout: Flags.string({ description: 'maximum time for the sign-in', default: '5m' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(Login);
    const { login } = await import('../services/login.ts');
    const { home } = loadCliConfig(this.config.root);
    const signedIn = await login(home, managerEnvironment(), {
      url: flags.url,
      device: flags.device,
      noBrowser: flags['no-browser'],
      prompt: flags.prompt,
      offlineAccess: flags['offline-access'],
      resource: flags.resource,
      timeout: flags.timeout,
      abort: this.interruption(),
      say: (text) => this.output.say(text),
    });
    if (flags.json) this.output.json(signedIn);
    else {
      const who = signedIn.user_name ?? `${signedIn.subject} (no entry in the directory)`;
      this.output.say(printable(`Signed in to ${signedIn.manager} as ${who}`));
    }
  }
}
