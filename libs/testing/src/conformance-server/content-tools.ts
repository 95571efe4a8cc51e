import { answerText, type FixtureTool } from './fixture-tool.ts';

/** A PNG image of one red pixel, in base64. */
export const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A WAV file with one silent sample, in base64. */
const SOUND = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const image = { type: 'image' as const, data: IMAGE, mimeType: 'image/png' };

const embed = (uri: string, mimeType: string, text: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text },
});

/** Tools that return each kind of content (scenarios `tools-call-*`). */
export const contentTools: Record<string, FixtureTool> = {
  // A scenario calls the first tool of the list, and a gateway may sort the list by name.
  about: {
    description: 'Names this server.',
    call: () => answerText('the conformance server'),
  },
  test_simple_text: {
    description: 'Returns a text.',
    call: () => answerText('This is a simple text response for testing.'),
  },
  test_image_content: {
    description: 'Returns an image.',
    call: () => ({ content: [image] }),
  },
  test_audio_content: {
    description: 'Returns a sound.',
    call: () => ({ content: [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }] }),
  },
  test_embedded_resource: {
    description: 'Returns an embedded resource.',
    call: () => ({
      content: [embed('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  },
  test_multiple_content_types: {
    description: 'Returns a text, an image and an embedded resource.',
    call: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        embed('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  test_error_handling: {
    description: 'Fails always.',
    call: () => ({ ...answerText('This tool intentionally returns an error for testing'), isError: true }),
  },
};
