import { Global, Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module.ts';
import { DirectoryModule } from '../directory/directory.module.ts';

/** Provides the directory of the gateway's mode to all modules. */
@Global()
@Module({ imports: [DirectoryModule, DeliveryModule], exports: [DirectoryModule] })
export class ModeModule {}
