import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { Violation } from '@gatehouse/ai-resources/resource-store';
import { findViolations } from '@gatehouse/ai-resources/validation';

/**
 * Finds the reasons why no service can use a gateway: members that break the rules of the CRD, and
 * addresses of the token issuer that are no URLs. The patterns of the CRD permit some of them, such
 * as `https://login.example.com:99999`.
 */
export function findGatewayViolations(gateway: AIGateway): readonly Violation[] {
  const violations = findViolations('AIGateway', gateway);
  if (violations.length > 0) return violations;
  const { issuer, jwksUri } = gateway.spec.auth.oidc;
  return Object.entries({ issuer, jwksUri }).flatMap(([name, address]) =>
    address === undefined || URL.canParse(address)
      ? []
      : [{ field: `/spec/auth/oidc/${name}`, message: 'must be a URL' }],
  );
}
