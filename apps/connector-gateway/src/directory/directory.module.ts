import { Module } from '@nestjs/common';
import { GatewayDirectory } from '../ports/gateway-directory.ts';
import { Directory } from './directory.ts';

/** The connection to the enterprise manager. */
@Module({
  providers: [Directory, { provide: GatewayDirectory, useExisting: Directory }],
  exports: [Directory, GatewayDirectory],
})
export class DirectoryModule {}
