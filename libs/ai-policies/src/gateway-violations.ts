import { PatternCheck } from '@gatehouse/content-controls/redaction-patterns';
import type { Provider, ProviderPlatform } from '@gatehouse/ai-resources/generated/types';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { Violation } from '@gatehouse/ai-resources/resource-store';
import { findViolations } from '@gatehouse/ai-resources/validation';

/**
 * Finds the reasons why no service can use a gateway: members that break the rules of the CRD,
 * addresses of the token issuer that are no URLs, platforms that do not serve the format of their
 * provider, and redaction patterns that RE2 refuses. The
 * patterns of the CRD permit some addresses that are no URLs, such as
 * `https://login.example.com:99999`.
 */
export function findGatewayViolations(gateway: AIGateway): readonly Violation[] {
  const violations = findViolations('AIGateway', gateway);
  if (violations.length > 0) return violations;
  return [...findAddressViolations(gateway), ...findPlatformViolations(gateway), ...findPatternViolations(gateway)];
}

function findAddressViolations({ spec }: AIGateway): readonly Violation[] {
  const { issuer, jwksUri } = spec.auth.oidc;
  return Object.entries({ issuer, jwksUri }).flatMap(([name, address]) =>
    address === undefined || URL.canParse(address)
      ? []
      : [{ field: `/spec/auth/oidc/${name}`, message: 'must be a URL' }],
  );
}

const findPatternViolations = ({ spec }: AIGateway): readonly Violation[] =>
  new PatternCheck()
    .findFaults(spec.guardrails?.redaction?.patterns ?? [])
    .map(({ index, problem }) => ({ field: `/spec/guardrails/redaction/patterns/${index}`, message: problem }));

/** The formats that each platform serves. */
const PLATFORM_KINDS: Readonly<Record<keyof ProviderPlatform, readonly Provider['kind'][]>> = {
  azure: ['openai'],
  bedrock: ['anthropic', 'openai'],
  vertex: ['google', 'anthropic', 'openai'],
};

function findPlatformViolations({ spec: { providers = [] } }: AIGateway): readonly Violation[] {
  return providers.flatMap(({ kind, platform = {} }, index) => {
    const [name] = Object.keys(platform) as (keyof ProviderPlatform)[];
    if (name === undefined || PLATFORM_KINDS[name].includes(kind)) return [];
    const kinds = PLATFORM_KINDS[name].join(', ');
    return [{ field: `/spec/providers/${index}/kind`, message: `must be one of ${kinds} on the platform ${name}` }];
  });
}
