import { findGatewayViolations } from '@gatehouse/ai-policies/gateway-violations';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { Violation } from '@gatehouse/ai-resources/resource-store';
import { HttpError } from '@gatehouse/service-kit/http-error';
import type { CachedResources } from './cached-resources.ts';
import type { GatewayAuthentication } from './gateway-authentication.ts';
import type { GatewayIdentity } from './gateway-settings.ts';

/** The AIGateway of a service, as it is now, or the reason why it cannot be used. */
export class LiveGateway {
  private examined: { readonly resource: AIGateway; readonly violation: Violation | undefined } | undefined;

  /** @param authentication follows the AIGateway */
  constructor(
    private readonly gateways: CachedResources<AIGateway>,
    private readonly identity: GatewayIdentity,
    private readonly authentication: GatewayAuthentication,
  ) {
    gateways.onUpdate(() => this.updateAuthentication());
  }

  /** The resource; undefined if there is none. It need not be usable. */
  private get resource(): AIGateway | undefined {
    return this.gateways.cache.get(this.identity.GATEWAY_NAME);
  }

  /** Calls back after each change of the AIGateway, and of the reason why it cannot be used. */
  onUpdate(listener: () => void): void {
    this.gateways.onUpdate(listener);
  }

  /** Returns the usable AIGateway. @throws HttpError unavailable while there is none */
  require(): AIGateway {
    const { resource } = this;
    const reason = this.explainMissing();
    if (reason === undefined && resource !== undefined) return resource;
    throw new HttpError('unavailable', reason ?? 'the AIGateway does not exist');
  }

  /** Why the AIGateway cannot be used, as a sentence for callers. */
  explainMissing(): string | undefined {
    const { NAMESPACE, GATEWAY_NAME } = this.identity;
    const subject = `the AIGateway ${NAMESPACE}/${GATEWAY_NAME}`;
    const missing = this.gateways.explainMissing();
    if (missing !== undefined) return `${subject} is not known: ${missing}`;
    const { resource } = this;
    if (resource === undefined) {
      const problems = this.gateways.listProblems();
      return `${subject} does not exist; ${problems.length > 0 ? problems.join('; ') : 'create it'}`;
    }
    const violation = this.findViolation(resource);
    return violation && `${subject} cannot be used: ${violation.field} ${violation.message}`;
  }

  /** Examines each version once: requests and readiness ask for it. */
  private findViolation(resource: AIGateway): Violation | undefined {
    if (this.examined?.resource !== resource)
      this.examined = { resource, violation: findGatewayViolations(resource)[0] };
    return this.examined.violation;
  }

  private updateAuthentication(): void {
    const reason = this.explainMissing();
    const { resource } = this;
    if (reason === undefined && resource !== undefined) this.authentication.follow(resource);
    else this.authentication.refuse(reason ?? 'the AIGateway does not exist');
  }
}
