import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';

const files = readdirSync(import.meta.dirname).filter((name) => /^[a-z0-9-]+\.ts$/.test(name));

describe('libs/money', () => {
  it.each(files)(
    '%s runs in a browser: it imports only this library and the base error, and no part of Node',
    (name) => {
      const code = readFileSync(new URL(name, import.meta.url), 'utf8');
      for (const [, from] of code.matchAll(/\bfrom '([^']+)'|\bimport\(/g))
        expect(from).toMatch(/^(\.\/[a-z0-9-]+\.ts|@gatehouse\/errors\/gatehouse-error)$/);
      expect(code).not.toMatch(/\b(process|Buffer|require|__dirname|import\.meta|Date|performance|Math\.random)\b/);
    },
  );

  it.each(files)('%s uses no floating-point numbers for money', (name) => {
    const code = readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
    expect(code).not.toMatch(/\b(parseFloat|toFixed|Number\(|Math\.)/);
  });
});
