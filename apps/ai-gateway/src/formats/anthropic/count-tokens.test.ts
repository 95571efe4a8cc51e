import { describe, expect, it } from '@jest/globals';
import { createReceived, readResponse } from '../read-response.fixture.ts';
import { countMessageTokens } from './count-tokens.ts';

const request = countMessageTokens.readRequest(createReceived({ model: 'alias', messages: [] }, 'beta=true'));

describe('counting the tokens of a message', () => {
  it('is free', () => {
    expect(countMessageTokens.isMetered).toBe(false);
    expect(request).toMatchObject({ model: 'alias', isStream: false, estimate: { promptTokens: 0 } });
  });

  it('goes to the model of the provider', () => {
    expect(countMessageTokens.createPath(request, 'claude-x')).toBe('/messages/count_tokens?beta=true');
    expect(Buffer.from(countMessageTokens.createBody(request, 'claude-x')).toString()).toBe(
      '{"model":"claude-x","messages":[]}',
    );
  });

  it('passes the count unchanged', () => {
    const { text, report } = readResponse(countMessageTokens, request, Buffer.from('{"input_tokens": 14}'), [3]);
    expect(text).toBe('{"input_tokens": 14}');
    expect(report).toMatchObject({ isComplete: true, outputBytes: 0 });
    expect(report.usage).toBeUndefined();
  });
});
