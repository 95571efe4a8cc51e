import { type DynamicModule, Module } from '@nestjs/common';
import { TelemetryModule } from '../telemetry/telemetry.module.ts';
import { DataPlane } from './data-plane.ts';

/** Serves model calls. */
@Module({})
export class DataPlaneModule {
  /** @param imports the modules of identity, provider credentials, admission and settlement */
  static of(imports: readonly DynamicModule[]): DynamicModule {
    return {
      module: DataPlaneModule,
      imports: [TelemetryModule, ...imports],
      providers: [DataPlane],
      exports: [DataPlane],
    };
  }
}
