import type { CallerRule } from '@gatehouse/service-kit/caller-rule';

/** Combines rules for callers. The first refusal decides. */
export const combineCallerRules = (...rules: readonly CallerRule[]): CallerRule => ({
  findError: async (caller, route) => {
    for (const rule of rules) {
      const error = await rule.findError(caller, route);
      if (error !== undefined) return error;
    }
    return undefined;
  },
});
