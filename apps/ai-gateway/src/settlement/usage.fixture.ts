import { v7 as uuidv7 } from 'uuid';
import type { UsageIntent, UsageOutcome } from './usage-recorder.ts';

/** Creates the intent of a test. @param number that makes it unique */
export const createIntent = (number: number): UsageIntent => ({
  interaction_id: uuidv7({ msecs: 1_750_000_000_000 + number }),
  attempt: 1,
  reservation_id: uuidv7(),
  event_time: '2026-01-02T03:04:05.000Z',
  principal: { issuer: 'https://id.example.test', subject: 'alice' },
  provider: 'openai',
  route: 'default',
  requested_model: 'gpt-5',
  model: 'gpt-5-2025-08-07',
  estimated_usage: { prompt_tokens: number, completion_tokens: 100 },
});

/** Creates the end of an attempt. */
export const createOutcome = (changed: Partial<UsageOutcome> = {}): UsageOutcome => ({
  outcome: 'delivered',
  upstream_status: 200,
  duration_ms: 12,
  raw_usage: { prompt_tokens: 7, completion_tokens: 3 },
  ...changed,
});
