import { findHostFault } from '@gatehouse/content-controls/elicitation-hosts';
import { PatternCheck } from '@gatehouse/content-controls/redaction-patterns';
import { z } from 'zod';

const MAX_PATTERNS = 64;
const MAX_PATTERN_LENGTH = 1_000;
const MAX_HOSTS = 100;

const host = z.string().superRefine((text, context) => {
  const problem = findHostFault(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

/** The content controls of a backends file, with the rules of the enterprise manager. */
export const contentControls = {
  tool_pinning: z.enum(['off', 'warn', 'quarantine']).optional(),
  redaction_patterns: z.array(z.string().min(1).max(MAX_PATTERN_LENGTH)).max(MAX_PATTERNS).optional(),
  elicitation_hosts: z.array(host).max(MAX_HOSTS).optional(),
};

/** Lists of patterns of a file with their places. */
type PlacedPatterns = readonly { path: (string | number)[]; patterns: readonly string[] | undefined }[];

/** Reports the patterns of a file that cannot be used. One check bounds the time for all lists. */
export function reportPatternFaults(lists: PlacedPatterns, context: z.RefinementCtx): void {
  const check = new PatternCheck();
  for (const { path, patterns = [] } of lists)
    for (const { index, problem } of check.findFaults(patterns))
      context.addIssue({ code: 'custom', path: [...path, 'redaction_patterns', index], message: problem });
}
