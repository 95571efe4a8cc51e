import { describe, expect, it } from '@jest/globals';
import { createBody } from './renamed-body.ts';

function rename(text: string, model: string, requested = 'alias'): string {
  const bytes = Buffer.from(text);
  const received = { bytes, body: {}, query: new URLSearchParams() };
  const request = { received, model: requested, isStream: false, estimate: { promptTokens: 0 }, members: new Map() };
  return Buffer.from(createBody(request, model)).toString();
}

describe('the body for Google', () => {
  it('has the bytes of the client if the model has the same name', () => {
    const text = '{ "model" : "models/alias", "contents": [] }';
    expect(rename(text, 'alias')).toBe(text);
    expect(rename(text, 'models/alias')).toBe(text);
  });

  it('names the model of the provider wherever the vendor requires it', () => {
    expect(rename('{"requests":[ {"model": "models/alias","content":{"model":"x"}}, {"model":"alias"}]}', 'real')).toBe(
      '{"requests":[ {"model": "models/real","content":{"model":"x"}}, {"model":"models/real"}]}',
    );
    expect(rename('{"generateContentRequest": {"model":"models/alias"}, "a": 1.0}', 'models/real')).toBe(
      '{"generateContentRequest": {"model":"models/real"}, "a": 1.0}',
    );
    expect(rename('{"model":"a","model":"b"}', 'real')).toBe('{"model":"models/real","model":"models/real"}');
  });

  it('changes no other value', () => {
    const text = '{"contents":[{"parts":[{"text":"model"}]}],"tools":[{"model":"x"}],"requests":"x"}';
    expect(rename(text, 'real')).toBe(text);
  });
});
