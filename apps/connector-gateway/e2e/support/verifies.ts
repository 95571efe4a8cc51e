import { it } from '@jest/globals';
import type { RequirementId } from '../../src/mcp/mcp.requirements.ts';

/** Declares a test that verifies requirements of the data plane. */
export function verifies(
  ids: readonly [RequirementId, ...RequirementId[]],
  sentence: string,
  test: () => Promise<void>,
): void {
  it(`${sentence} [${ids.join(', ')}]`, test);
}
