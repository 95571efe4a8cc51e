import { describe, expect, it } from '@jest/globals';
import { renderSettings } from '@gatehouse/service-kit/config';
import { readFileSync } from 'node:fs';
import { settingsSchema } from './config.ts';

const rows = (markdown: string): string[][] =>
  markdown
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

describe('the settings', () => {
  it('match the table in docs/settings/ai-gateway.md', () => {
    const page = readFileSync(new URL('../../../docs/settings/ai-gateway.md', import.meta.url), 'utf8');
    const shown = /<!-- settings -->([\s\S]*)<!-- \/settings -->/.exec(page)?.[1] ?? '';
    expect(rows(shown)).toEqual(rows(renderSettings(settingsSchema)));
  });
});
