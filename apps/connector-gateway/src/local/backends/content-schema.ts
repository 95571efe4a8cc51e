import { findHostFault } from '@gatehouse/content-controls/elicitation-hosts';
import { findPatternFaults } from '@gatehouse/content-controls/redaction-patterns';
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
  redaction_patterns: z
    .array(z.string().min(1).max(MAX_PATTERN_LENGTH))
    .max(MAX_PATTERNS)
    .superRefine((patterns, context) => {
      for (const { index, problem } of findPatternFaults(patterns))
        context.addIssue({ code: 'custom', path: [index], message: problem });
    })
    .optional(),
  elicitation_hosts: z.array(host).max(MAX_HOSTS).optional(),
};
