import { describe, expect, it } from '@jest/globals';
import { formatClientLines } from './client-lines.ts';

describe('the lines for clients', () => {
  const lines = formatClientLines('http://gateway').split('\n').slice(1);

  it('can be pasted into a shell as a whole', () => {
    for (const line of lines) expect(line).toMatch(/^ {2}(?:# |export |codex )/);
  });

  it('name the setting that Gemini CLI needs beside its variables', () => {
    const setting = lines.find((line) => line.includes('~/.gemini/settings.json'));
    expect(setting).toContain('{"security": {"auth": {"selectedType": "gemini-api-key"}}}');
  });
});
