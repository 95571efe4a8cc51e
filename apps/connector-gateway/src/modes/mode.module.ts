import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Settings } from '../config/config.ts';
import { DeliveryModule } from '../delivery/delivery.module.ts';
import { DirectoryModule } from '../directory/directory.module.ts';
import { LocalModule } from '../local/local.module.ts';

/** Provides the directory of the gateway's mode to all modules. */
@Global()
@Module({})
export class ModeModule {
  /** @param mode undefined for the generation of the OpenAPI document */
  static of(mode: Settings['MODE'] | undefined): DynamicModule {
    return mode === 'local'
      ? { module: ModeModule, imports: [LocalModule], exports: [LocalModule] }
      : { module: ModeModule, imports: [DirectoryModule, DeliveryModule], exports: [DirectoryModule] };
  }
}
