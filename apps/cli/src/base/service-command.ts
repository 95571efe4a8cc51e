import { homedir } from 'node:os';
import { loadCliConfig, readServiceEnvironment } from '../config/config.ts';
import type { ServicePlan } from '../services/service/service-plan.ts';
import { GatehouseCommand } from './base-command.ts';

/** The base of commands about the service that starts workloads. */
export abstract class ServiceCommand extends GatehouseCommand {
  /** The service of this home, for the command line that runs now. */
  protected async plan(): Promise<ServicePlan> {
    const { planService } = await import('../services/service/service-plan.ts');
    const { home, defaultHome } = loadCliConfig(this.config.root);
    const { configFolder, variables } = readServiceEnvironment(homedir());
    return planService({
      ...{ platform: process.platform, userFolder: homedir(), configFolder, home, defaultHome },
      ...{ node: process.execPath, program: process.argv[1] ?? '' },
      environment: { GATEHOUSE_HOME: home, ...variables },
    });
  }
}
