import { Workloads } from '@gatehouse/workloads/lifecycle';
import { GatehouseCommand } from './base-command.ts';
import { loadCliConfig } from '../config/config.ts';

/** The base of commands about the workloads of a home. */
export abstract class WorkloadCommand extends GatehouseCommand {
  /** The workloads of the home that the environment selects. */
  protected workloads(): Workloads {
    const { home, defaultHome, engine, networkRange, proxyVariables } = loadCliConfig(this.config.root);
    return new Workloads(home, defaultHome, engine, { networkRange, proxyVariables });
  }
}
