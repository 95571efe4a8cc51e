import { describe, expect, it } from '@jest/globals';
import { keepChatUsage } from './chat-usage.ts';

const create = (completion: number, reasoning: number, total: number) => ({
  prompt_tokens: 20,
  completion_tokens: completion,
  total_tokens: total,
  completion_tokens_details: { reasoning_tokens: reasoning },
});

describe('the usage of a chat completion', () => {
  it('includes thoughts that a server counts beside the completion', () => {
    expect(keepChatUsage(create(198, 405, 623))).toEqual(create(603, 405, 623));
    expect(keepChatUsage(create(0, 60, 80))).toEqual(create(60, 60, 80));
  });

  it.each([
    create(198, 100, 218),
    create(198, 0, 218),
    create(198, 100, 400),
    { prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 },
    { ...create(198, 405, 623), completion_tokens_details: null },
    { ...create(198, 405, 623), total_tokens: '623' },
  ])('stays as it is: %j', (usage) => {
    expect(keepChatUsage(usage)).toBe(usage);
  });

  it('is not kept if it cannot be charged', () => {
    expect(keepChatUsage({ prompt_tokens: -1 })).toBeUndefined();
  });
});
