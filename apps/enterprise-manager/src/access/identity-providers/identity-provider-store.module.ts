import { Module } from '@nestjs/common';
import { IdentityProvidersRepository } from './identity-providers.repository.ts';

/** Stored identity providers, for what refers to them. */
@Module({ providers: [IdentityProvidersRepository], exports: [IdentityProvidersRepository] })
export class IdentityProviderStoreModule {}
