import type { JsonObject } from '../model-request.ts';

/**
 * A member of an object of the Gemini API. The API accepts each name in lowerCamelCase and in
 * snake_case (ProtoJSON format).
 * @param name in lowerCamelCase
 */
export const getMember = (object: JsonObject, name: string): unknown =>
  object[name] ?? object[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
