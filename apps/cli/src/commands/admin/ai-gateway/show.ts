import { AiGatewayCommand } from '../../../base/ai-gateway-command.ts';
import { readGatewayStatus, summarizeGateway } from '../../../services/ai-gateway/gateway.ts';

/** `gatehouse admin ai-gateway show`. */
export default class AdminAiGatewayShow extends AiGatewayCommand {
  static override hiddenAliases = ['admin:ai-gateway:get'];
  static override summary = 'show the name, the namespace and the status of the AI gateway';
  static override description =
    'The condition Accepted says whether the AI gateway can use its AIGateway, and ResolvedRefs whether each backend names a provider. --json also shows when the conditions last changed.';
  static override examples = ['<%= config.bin %> admin ai-gateway show'];

  async run(): Promise<void> {
    const { flags } = await this.read(AdminAiGatewayShow);
    const gateway = await readGatewayStatus(await this.management(flags));
    this.showOne(flags.json, flags.json ? gateway : summarizeGateway(gateway));
  }
}
