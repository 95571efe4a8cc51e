import { Flags } from '@oclif/core';
import { AiGatewayCommand } from '../../../base/ai-gateway-command.ts';
import { listModels } from '../../../services/ai-gateway/gateway.ts';
import { MODEL_COLUMNS } from '../../../views/policy-columns.ts';

/** `gatehouse admin ai-gateway models`. */
export default class AdminAiGatewayModels extends AiGatewayCommand {
  static override summary = 'list the models of the AI gateway, which AI policies can grant';
  static override description = 'CONTEXT is the size of the context window in tokens.';
  static override examples = ['<%= config.bin %> admin ai-gateway models'];
  static override flags = {
    gateway: Flags.string({ description: 'another AI gateway of the namespace (default: that of the service)' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminAiGatewayModels);
    const items = await listModels(await this.management(flags), flags.gateway);
    await this.showList(flags.json, { items }, MODEL_COLUMNS, 'The AI gateway has no routes with models');
  }
}
