import type { Caller } from '../services/ai-gateway/gateway.ts';
import { printable } from '../terminal/output.ts';

/** Why the caller has no models, and who can change that. */
export function describeMissingModels({ email, subject, groups, matchedPolicies }: Caller): string {
  const policies = matchedPolicies.map(({ name }) => printable(name)).join(', ');
  const reason =
    policies === ''
      ? 'no AI policy matches you'
      : `the AI policies that match you grant no model of the gateway: ${policies}`;
  const facts = groups.length === 0 ? 'no groups' : `the groups ${groups.map(printable).join(', ')}`;
  return [
    `You have no models: ${reason}`,
    `Ask an administrator of the AI gateway for a policy that matches you. You are ${printable(email ?? subject)}, with ${facts}`,
  ].join('\n');
}
