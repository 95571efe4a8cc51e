import { flagError } from '../errors/workload-error.ts';

/** The effect of missing provenance of an image: a warning, a refusal, or no check at all. */
export const VERIFICATION_MODES = ['warn', 'enabled', 'disabled'] as const;
export type VerificationMode = (typeof VERIFICATION_MODES)[number];

/**
 * Parses `--image-verification`.
 * @returns undefined without the flag
 * @throws WorkloadError (usage)
 */
export function parseVerificationMode(text: string | undefined): VerificationMode | undefined {
  if (text === undefined || text === '') return undefined;
  const mode = VERIFICATION_MODES.find((name) => name === text);
  if (mode !== undefined) return mode;
  throw flagError(`--image-verification ${text}`, 'is not a mode; give warn, enabled or disabled');
}
