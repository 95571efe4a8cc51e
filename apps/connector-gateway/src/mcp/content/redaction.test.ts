import { Redactor } from '@gatehouse/content-controls/redaction-patterns';
import { effort } from '@gatehouse/testing/effort';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Redaction } from './redaction.ts';

const OPTIONS = { owner: 'one' };

describe('Redaction', () => {
  const redaction = new Redaction(['secret-\\d+', '(a+)+$']);

  it('returns a short message without a match at once', () => {
    const message = { content: [{ type: 'text', text: 'nothing' }] };
    expect(redaction.redact(message, OPTIONS)).toEqual({ value: message, count: 0 });
  });

  it('replaces passages in all texts and counts them', async () => {
    const text = `secret-1 and secret-2 ${'x'.repeat(200_000)}`;
    const { value, count } = await redaction.redact(
      { content: [{ text }, { text: 'secret-3' }, { text: 'aaa' }] },
      OPTIONS,
    );
    expect(value.content.map((item) => item.text.slice(0, 27))).toEqual([
      '[redacted] and [redacted] x',
      '[redacted]',
      '[redacted]',
    ]);
    expect(count).toBe(4);
  });

  it('leaves no match in any text of a result', async () => {
    const text = fc.array(fc.constantFrom('secret-', '7', 'a', ' ', '"', '\\', '😀')).map((pieces) => pieces.join(''));
    const { value: json } = fc.letrec((tie) => ({
      value: fc.oneof(text, fc.integer(), fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
    }));
    const patterns = new Redactor(['secret-\\d+', 'a{2,}']);
    await fc.assert(
      fc.asyncProperty(json, async (structuredContent) => {
        const redacted = await new Redaction(['secret-\\d+', 'a{2,}']).redact({ structuredContent }, OPTIONS);
        const texts: string[] = [];
        JSON.parse(JSON.stringify(redacted.value.structuredContent), (_, value: unknown) => {
          if (typeof value === 'string') texts.push(...value.split('[redacted]'));
          return value;
        });
        expect(texts.filter((each) => patterns.hasMatch(each))).toEqual([]);
      }),
      { numRuns: 100 * effort },
    );
  });

  it('searches many short texts in a thread too', () => {
    const texts = Array.from({ length: 50_000 }, () => 'x');
    expect(redaction.redact({ texts }, OPTIONS)).toBeInstanceOf(Promise);
  });

  it('searches 4 MiB of a hostile text without a hold of the event loop', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const { count } = await redaction.redact({ text: `${'a'.repeat(4 * 1024 * 1024)}!` }, OPTIONS);
    clearInterval(timer);
    expect(count).toBe(0);
    expect(turns).toBeGreaterThan(1);
  });
});
