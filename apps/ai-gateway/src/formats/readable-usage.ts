import { UsageCountError } from '@gatehouse/money/counts';
import { readUsage } from '@gatehouse/money/usage';
import type { JsonObject } from './model-request.ts';
import type { WireFormat } from './operation.ts';

/**
 * Keeps a usage object that libs/money can read. An estimate replaces every other one, such as one
 * with negative counts: it could not be charged.
 */
export function keepReadableUsage(format: WireFormat, usage: JsonObject | undefined): JsonObject | undefined {
  if (usage === undefined) return undefined;
  try {
    return readUsage(format, usage) === undefined ? undefined : usage;
  } catch (error) {
    if (error instanceof UsageCountError) return undefined;
    throw error;
  }
}
