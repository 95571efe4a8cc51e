import { googleErrors } from '../../formats/google/errors.ts';
import { readResponseForm } from '../../formats/google/model-path.ts';
import type { ClientFormat } from '../translated-formats.ts';
import { writeContentDocument } from './answer-writer.ts';
import { readContentChat } from './request-reader.ts';
import { ContentStreamWriter } from './stream-writer.ts';

/** Clients of `generateContent` and `streamGenerateContent`. */
export const googleClient: ClientFormat = {
  readChat: readContentChat,
  createAnswers(request, { showsThoughts = false }) {
    const form = readResponseForm(request.received.query);
    return {
      contentType: request.isStream && form === 'sse' ? 'text/event-stream' : 'application/json; charset=UTF-8',
      // The SDKs of the vendor know no comments, and an array has none.
      keepAlive: '',
      createStreamWriter: () => new ContentStreamWriter(form, showsThoughts),
      writeDocument: (choices, facts) => writeContentDocument(choices, facts, showsThoughts),
      writeStreamError: (error) => googleErrors.writeStreamError(error, request),
    };
  },
};
