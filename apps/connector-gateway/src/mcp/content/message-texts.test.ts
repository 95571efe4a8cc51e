import { effort } from '@gatehouse/testing/effort';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mapTexts } from './message-texts.ts';

/** Marks each replaced text. */
const mark = (value: unknown): unknown => mapTexts(value, (text) => `<${text}>`);

describe('mapTexts', () => {
  it('replaces the texts of a result, and keeps its identifiers and base64', () => {
    const link = { type: 'resource_link', name: 'n', uri: 'u', description: 'd', mimeType: 'text/plain' };
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const resource = { type: 'resource', resource: { uri: 'u', text: 't', blob: 'AAAA' } };
    const structuredContent = { name: 'x', uri: ['y', 1, null, { data: 'z' }], type: true };
    expect(
      mark({ content: [{ type: 'text', text: 't' }, link, image, resource], structuredContent, isError: false }),
    ).toEqual({
      content: [
        { type: 'text', text: '<t>' },
        { ...link, description: '<d>' },
        image,
        { type: 'resource', resource: { uri: 'u', text: '<t>', blob: 'AAAA' } },
      ],
      structuredContent: { name: '<x>', uri: ['<y>', 1, null, { data: '<z>' }], type: true },
      isError: false,
    });
  });

  it('replaces the texts for people in a definition, and keeps its schema', () => {
    const inputSchema = { type: 'object', required: ['title'], properties: { title: { type: 'string', title: 't' } } };
    const description = { type: 'string', description: 'd', enum: ['a'], default: 'a' };
    expect(mark({ name: 'n', title: 't', description: 'd', inputSchema, outputSchema: { description } })).toEqual({
      name: 'n',
      title: '<t>',
      description: '<d>',
      inputSchema: { ...inputSchema, properties: { title: { type: 'string', title: '<t>' } } },
      outputSchema: { description: { ...description, description: '<d>' } },
    });
  });

  it('replaces questions, answers, notifications and errors', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', description: 'd' } } };
    const params = { mode: 'form', message: 'm', requestedSchema: schema };
    expect(
      mark({ resultType: 'input_required', requestState: 's', inputRequests: { a: { method: 'e', params } } }),
    ).toEqual({
      resultType: 'input_required',
      requestState: 's',
      inputRequests: {
        a: {
          method: 'e',
          params: {
            mode: 'form',
            message: '<m>',
            requestedSchema: { type: 'object', properties: { a: { type: 'string', description: '<d>' } } },
          },
        },
      },
    });
    expect(mark({ action: 'accept', content: { name: 'n' } })).toEqual({ action: 'accept', content: { name: '<n>' } });
    const log = { method: 'notifications/message', params: { level: 'info', logger: 'l', data: { url: 'u' } } };
    expect(mark(log)).toEqual({ ...log, params: { level: 'info', logger: '<l>', data: { url: '<u>' } } });
    expect(mark({ message: 'm', data: { detail: 'd', taskId: 'x' } })).toEqual({
      message: '<m>',
      data: { detail: '<d>', taskId: 'x' },
    });
    expect(
      mark({ name: 'tool', arguments: { name: 'n' }, _meta: { 'io.modelcontextprotocol/x': 'x', y: 'y' } }),
    ).toEqual({
      name: 'tool',
      arguments: { name: '<n>' },
      _meta: { 'io.modelcontextprotocol/x': 'x', y: '<y>' },
    });
  });

  it('replaces all texts of structured content in any form, and keeps the names in definitions of prompts', () => {
    expect(mark({ structuredContent: [{ name: 'n' }, 'x'] })).toEqual({ structuredContent: [{ name: '<n>' }, '<x>'] });
    expect(mark({ name: 'p', arguments: [{ name: 'n', description: 'd' }] })).toEqual({
      name: 'p',
      arguments: [{ name: 'n', description: '<d>' }],
    });
  });

  it('returns the same value if no text changes', () => {
    const value = { content: [{ type: 'text', text: 't' }] };
    expect(mapTexts(value, (text) => text)).toBe(value);
  });

  it('keeps keys, numbers and the form of any JSON', () => {
    const hide = (_: string, value: unknown) => (typeof value === 'string' ? '' : value);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const mapped = mapTexts({ result: value, structuredContent: value }, (text) => `${text}"\\`);
        const text = JSON.stringify(mapped);
        expect(JSON.parse(text, hide)).toEqual(
          JSON.parse(JSON.stringify({ result: value, structuredContent: value }), hide),
        );
      }),
      { numRuns: 300 * effort },
    );
  });

  it('visits the same texts in the same order again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const texts: string[] = [];
        mapTexts(value, (text) => (texts.push(text), text));
        let next = 0;
        mapTexts(value, (text) => (expect(text).toBe(texts[next]), (next += 1), 'other'));
        expect(next).toBe(texts.length);
      }),
      { numRuns: 300 * effort },
    );
  });
});
