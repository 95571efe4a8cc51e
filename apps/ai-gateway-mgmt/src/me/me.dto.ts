import { z } from 'zod';
import { AIPolicySpec } from '../policies/policies.dto.ts';

/** A policy that matches the caller. */
export const MatchedPolicy = z
  .object({
    name: z
      .string()
      .max(253)
      .meta({ examples: ['everyone'] }),
    ...AIPolicySpec.pick({ description: true, mcpPolicy: true }).shape,
  })
  .meta({ id: 'MatchedPolicy', description: 'A policy of the gateway that matches the caller' });
export type MatchedPolicy = z.infer<typeof MatchedPolicy>;

/** The caller, and what the policies of the gateway grant to the caller. */
export const CallerIntrospection = z
  .object({
    email: z.string().optional(),
    subject: z.string(),
    groups: z.array(z.string()).describe('The texts of the claim `groups`'),
    roles: z.array(z.string()).describe('Roles of `spec.auth.authz.roles` of the gateway that match, sorted'),
    matchedPolicies: z.array(MatchedPolicy).describe('Policies of the gateway that match the caller, sorted by name'),
    models: z.array(z.string()).describe('Models that these policies grant, sorted'),
    unrestrictedModels: z.boolean().describe('Whether a policy grants all models with `*`'),
  })
  .meta({ id: 'CallerIntrospection', description: 'The caller, and the policies that match the caller' });
export type CallerIntrospection = z.infer<typeof CallerIntrospection>;
