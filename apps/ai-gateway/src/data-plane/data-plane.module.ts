import { Log } from '@gatehouse/service-kit/log';
import { type DynamicModule, Module } from '@nestjs/common';
import { CallObserver } from '../exchange/call-observer.ts';
import { RefusalLog } from './refusal-log.ts';
import { DataPlane } from './data-plane.ts';

/** Serves model calls. */
@Module({})
export class DataPlaneModule {
  /** @param imports the modules of identity, provider credentials, admission and settlement */
  static of(imports: readonly DynamicModule[]): DynamicModule {
    return {
      module: DataPlaneModule,
      imports: [...imports],
      providers: [DataPlane, { provide: CallObserver, useFactory: (log: Log) => new RefusalLog(log), inject: [Log] }],
      exports: [DataPlane],
    };
  }
}
