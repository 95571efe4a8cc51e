import { Flags } from '@oclif/core';
import { connectorArg, connectorRef } from '../../flags/connector-flags.ts';
import { gatewayFlag } from '../../flags/gateway-flag.ts';
import { managerEnvironment } from '../../config/config.ts';
import { ownConnector } from '../../services/manager/own-connectors.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse connectors connect`. */
export default class ConnectorsConnect extends ManagerCommand {
  static override summary = 'sign in at the provider of a connector, so that you can use it';
  static override description =
    'Opens a page of the connector gateway in the browser: you sign in, see which access the gateway asks for, and go to the provider. The command waits until the connector is connected. For a gateway on another machine, its control plane is in GATEHOUSE_CONNECTOR_GATEWAY_URL.';
  static override examples = [
    '<%= config.bin %> connectors connect search',
    '<%= config.bin %> connectors connect search --no-browser',
  ];
  static override args = { ...connectorArg };
  static override flags = {
    ...gatewayFlag,
    'no-browser': Flags.boolean({ description: 'print the address instead of opening it' }),
    timeout: Flags.string({ description: 'maximum time for the sign-in', default: '10m' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(ConnectorsConnect);
    const { connectConnector } = await import('../../services/connector-sign-in.ts');
    const { connector } = await ownConnector(await this.manager(flags), connectorRef(args, flags));
    const { browser, graphical } = managerEnvironment();
    const isNew = await connectConnector(await this.gateway(flags), connector, {
      noBrowser: flags['no-browser'] || !graphical,
      browser,
      timeout: flags.timeout,
      abort: this.interruption(),
      say: (text) => this.output.say(text),
    });
    const sentence = isNew
      ? `${connector.slug} is connected`
      : `${connector.slug} was connected before; to sign in again, run: gatehouse connectors disconnect ${connector.slug}`;
    this.showDone(flags.json, { id: connector.id, status: 'connected' }, sentence);
  }
}
