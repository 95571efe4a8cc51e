import { describe, expect, it } from '@jest/globals';
import { ApiError, type GenerateContentConfig, GoogleGenAI, Type } from '@google/genai';
import {
  collectValues,
  describeLeft,
  expectLeft,
  nameRequest,
  PIXEL,
  readEnded,
  SDK_MODELS,
  type SdkTarget,
} from './sdk-target.ts';

const model = SDK_MODELS.google;
const declaration = {
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] },
};

/** The SDK's own dispatcher needs a global of undici that jest does not pass on. */
const plainFetch: typeof fetch = (url, init) => {
  const { dispatcher, ...plain } = (init ?? {}) as RequestInit & { dispatcher?: unknown };
  return fetch(url, plain);
};

/** Defines the tests of the npm package `@google/genai`. */
export function describeGoogleSdk(getTarget: () => SdkTarget): void {
  const connect = ({ apiKey = getTarget().keys.google, attempts = 1 } = {}): GoogleGenAI => {
    const retryOptions = { attempts };
    return new GoogleGenAI({
      apiKey,
      httpOptions: { baseUrl: getTarget().urls.google, retryOptions, fetch: plainFetch },
    });
  };
  const generate = (contents: string, config: GenerateContentConfig = {}, client = connect()) =>
    client.models.generateContent({ model, contents, config });

  describe('content of the npm package @google/genai', () => {
    it('has text, several candidates and usage', async () => {
      const response = await generate('hello [[sim: input=100 cached=40]]', { candidateCount: 2 });
      expect(response.candidates?.map(({ content }) => content?.parts?.[0]?.text)).toEqual([
        'You said: hello. 1 2 3',
        'You said: hello. 1 2 3',
      ]);
      expect(response.usageMetadata).toMatchObject({
        promptTokenCount: 100,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 8,
        totalTokenCount: 108,
      });
    });

    it('streams, with thoughts and cumulative usage', async () => {
      const contents = 'héllo 世界 🙂 [[sim: chunks=20 usage=separate]]';
      const config = { thinkingConfig: { includeThoughts: true } };
      const chunks = await collectValues(await connect().models.generateContentStream({ model, contents, config }));
      expect(chunks.map(({ text }) => text ?? '').join('')).toContain('You said: héllo 世界 🙂. 1 2 3');
      expect(chunks.some(({ candidates }) => candidates?.[0]?.content?.parts?.[0]?.thought === true)).toBe(true);
      expect(chunks.at(-1)?.usageMetadata).toMatchObject({ candidatesTokenCount: 20, thoughtsTokenCount: 16 });
    });

    it('calls functions, and answers with their results', async () => {
      const tools = [{ functionDeclarations: [declaration] }];
      const contents = 'Ask get_weather for city=Paris';
      const called = await generate(contents, { tools });
      const [call] = called.functionCalls ?? [];
      expect(call).toMatchObject({ name: 'get_weather', args: { city: 'Paris' } });
      const functionResponse = { id: call!.id!, name: 'get_weather', response: { output: 'sun in Paris' } };
      const history = [
        { role: 'user', parts: [{ text: contents }] },
        called.candidates![0]!.content!,
        { role: 'user', parts: [{ functionResponse }] },
      ];
      const answered = await connect().models.generateContent({ model, contents: history, config: { tools } });
      expect(answered.text).toBe('The tool said: sun in Paris. 1 2 3');
    });

    it('takes images', async () => {
      const contents = [{ text: 'look' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }];
      const response = await connect().models.generateContent({ model, contents });
      expect(response.text).toBe('You said with 1 image(s): look. 1 2 3');
    });

    it('is requested again by the SDK after a 429', async () => {
      const name = nameRequest();
      const text = `a [[sim: name=${name} fault=status:429 times=2]]`;
      expect((await generate(text, {}, connect({ attempts: 3 }))).text).toBe('You said: a. 1 2 3');
      const records = await readEnded(getTarget(), name);
      expect(records.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'answered']);
    });

    it('raises the error of the status, with the message of the vendor', async () => {
      for (const status of [400, 409, 429, 500, 503]) {
        const failed = generate(`a [[sim: fault=status:${status}]]`);
        await expect(failed).rejects.toBeInstanceOf(ApiError);
        await expect(failed).rejects.toMatchObject({ status });
      }
      await expect(generate('a [[sim: fault=status:429]]')).rejects.toThrow('RESOURCE_EXHAUSTED');
    });

    it('raises the error of a model and a key', async () => {
      const other = connect().models.generateContent({ model: 'gemini-none', contents: 'a' });
      await expect(other).rejects.toMatchObject({ status: 404 });
      await expect(generate('a', {}, connect({ apiKey: 'wrong' }))).rejects.toBeInstanceOf(ApiError);
    });

    it('raises an error that comes in the stream, and a connection that is cut', async () => {
      const read = async (fault: string) => {
        const contents = `a [[sim: fault=${fault}]]`;
        return collectValues(await connect().models.generateContentStream({ model, contents }));
      };
      await expect(read('error_event:2')).rejects.toThrow('overloaded');
      await expect(read('reset_after:2')).rejects.toThrow();
    });

    it('ends at the vendor when the caller aborts', async () => {
      const name = nameRequest();
      const controller = new AbortController();
      const contents = `a ${describeLeft(name, getTarget())}`;
      const config = { abortSignal: controller.signal };
      const stream = await connect().models.generateContentStream({ model, contents, config });
      const read = async () => {
        for await (const { responseId } of stream) controller.abort(responseId);
      };
      await expect(read()).rejects.toThrow();
      await expectLeft(getTarget(), name);
    });
  });

  describe('other operations of the npm package @google/genai', () => {
    it('count tokens', async () => {
      const { totalTokens } = await connect().models.countTokens({ model, contents: 'hello [[sim: input=123]]' });
      expect(totalTokens).toBe(123);
    });

    it('embed texts', async () => {
      const contents = ['one', 'two'];
      const { embeddings } = await connect().models.embedContent({ model: SDK_MODELS.googleEmbedding, contents });
      expect(embeddings?.map(({ values }) => values?.length)).toEqual([16, 16]);
    });

    it('list and get models', async () => {
      const models = await collectValues(await connect().models.list());
      expect(models.map(({ name }) => name)).toContain(`models/${model}`);
      expect(await connect().models.get({ model })).toMatchObject({ name: `models/${model}` });
      await expect(connect().models.get({ model: 'gemini-none' })).rejects.toMatchObject({ status: 404 });
    });
  });
}
