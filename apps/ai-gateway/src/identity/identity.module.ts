import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { LiveGateway } from '@gatehouse/live-gateway/live-gateway';
import { PeopleRule } from '@gatehouse/service-kit/people-rule';
import { PROTECTED_RESOURCE, type ProtectedResource } from '@gatehouse/service-kit/protected-resource';
import { type DynamicModule, Module } from '@nestjs/common';
import { KeyDirectory } from './key-directory.ts';
import { LivePrincipals } from './live-principals.ts';
import { Principals } from './principals.ts';

const open = (
  verifier: TokenVerifier,
  gateway: LiveGateway,
  { resource }: ProtectedResource,
  people?: PeopleRule,
  keys?: KeyDirectory,
) =>
  new LivePrincipals({
    verifier,
    resource,
    people,
    keys,
    areKeysEnabled: () => gateway.require().spec.virtualKeys.enabled,
  });

const optional = (token: typeof PeopleRule | typeof KeyDirectory) => ({ token, optional: true });

/** Identifies the callers of models. */
@Module({})
export class IdentityModule {
  /** @param imports the modules of the directory of people and of the virtual keys */
  static of(imports: readonly DynamicModule[]): DynamicModule {
    const inject = [TokenVerifier, LiveGateway, PROTECTED_RESOURCE, optional(PeopleRule), optional(KeyDirectory)];
    return {
      module: IdentityModule,
      imports: [...imports],
      providers: [{ provide: Principals, useFactory: open, inject }],
      exports: [Principals],
    };
  }
}
