import { pingDatabase } from '@gatehouse/database/ready';
import { Readiness } from '@gatehouse/service-kit/readiness';
import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { OpenDatabase } from './open-database.ts';

const DATABASE = Symbol('database');

/** Gives every module the DataSource, tells readiness about it, and closes it last. */
@Global()
@Module({})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(DATABASE) private readonly database: OpenDatabase,
    private readonly readiness: Readiness,
  ) {}

  /** @param database stays open until the application has shut down; none where the module is only described */
  static of(database: OpenDatabase | undefined): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DATABASE, useValue: database },
        { provide: DataSource, useValue: database?.dataSource },
      ],
      exports: [DataSource],
    };
  }

  onModuleInit(): void {
    this.readiness.register('database', () => pingDatabase(this.database.dataSource));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
