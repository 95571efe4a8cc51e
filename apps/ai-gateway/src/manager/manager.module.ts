import { ManagerConnection } from '@gatehouse/service-kit/manager-connection';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { BudgetCalls } from '../admission/budget-calls.ts';
import { UsageReports } from '../settlement/usage-reports.ts';
import { ManagerClient } from './manager-client.ts';
import { ManagerUsageReports } from './manager-usage-reports.ts';

/** Provides the client of the enterprise manager to all modules, if its address is configured. */
@Global()
@Module({})
export class ManagerModule {
  /**
   * Creates the module of a running service.
   * @param people the module that provides the connection
   * @param gatewayId undefined without an enterprise manager: then nothing is provided
   */
  static of(people: DynamicModule, gatewayId: string | undefined): DynamicModule {
    if (gatewayId === undefined) return { module: ManagerModule };
    const create = (connection: ManagerConnection) => new ManagerClient(connection, gatewayId);
    const createReports = (client: ManagerClient) => new ManagerUsageReports(client);
    return {
      module: ManagerModule,
      imports: [people],
      providers: [
        { provide: ManagerClient, useFactory: create, inject: [ManagerConnection] },
        { provide: BudgetCalls, useExisting: ManagerClient },
        { provide: UsageReports, useFactory: createReports, inject: [ManagerClient] },
      ],
      exports: [ManagerClient, BudgetCalls, UsageReports],
    };
  }
}
