import { Module } from '@nestjs/common';
import { IdentityProvidersRepository } from './identity-providers.repository.ts';

/** The repository of identity providers, for modules that refer to them. */
@Module({ providers: [IdentityProvidersRepository], exports: [IdentityProvidersRepository] })
export class IdentityProviderStoreModule {}
