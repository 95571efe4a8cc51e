import { AiGatewayCommand } from '../../../base/ai-gateway-command.ts';
import { readGateway } from '../../../services/ai-gateway/gateway.ts';

/** `gatehouse admin ai-gateway show`. */
export default class AdminAiGatewayShow extends AiGatewayCommand {
  static override hiddenAliases = ['admin:ai-gateway:get'];
  static override summary = 'show the name and the namespace of the AI gateway';
  static override examples = ['<%= config.bin %> admin ai-gateway show'];

  async run(): Promise<void> {
    const { flags } = await this.read(AdminAiGatewayShow);
    this.showOne(flags.json, await readGateway(await this.management(flags)));
  }
}
