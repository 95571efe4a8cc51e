import { Global, Module } from '@nestjs/common';
import { PublicOrigin } from './public-origin.ts';

/** Provides the address of the public listener to all modules. */
@Global()
@Module({ providers: [PublicOrigin], exports: [PublicOrigin] })
export class PublicListenerModule {}
