import { PolicyIndex } from '@gatehouse/ai-policies/policy-index';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/config.ts';
import { Resources } from '../resources/resources.ts';

/** Finds the policies of the gateway that match a caller. It follows the cache of policies. */
@Injectable()
export class MatchedPolicies {
  private readonly index = new PolicyIndex();

  constructor(
    private readonly resources: Resources,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Nest: begins to follow. */
  onModuleInit(): void {
    this.resources.policies.cache.onChange(({ name, current }) => this.update(name, current));
  }

  /** The policies that match verified claims, sorted by name. */
  find(claims: Readonly<Record<string, unknown>>): AIPolicy[] {
    return this.index.find(claims);
  }

  private update(name: string, policy: AIPolicy | undefined): void {
    if (policy?.spec.gatewayRef.name === this.settings.GATEWAY_NAME) this.index.put(policy);
    else this.index.remove(name);
  }
}
